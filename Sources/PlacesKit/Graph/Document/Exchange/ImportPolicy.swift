/// Whether an imported record becomes a new object or updates an existing one.
public enum ImportPolicy<Object: ManagedObject>: Sendable {
    /// Every record is a new object.
    case insert
    /// A record updates the object with its value of a unique attribute, or inserts a new one.
    case upsert(by: any PartialKeyPath<Object> & Sendable)
    /// A record with an `"id"` updates that object, which must exist; others insert new objects.
    case identifiers
}

/// The result of an import.
public struct ImportSummary: Sendable, Hashable {
    /// The number of records that inserted an object.
    public var inserted = 0
    /// The number of records that updated an object.
    public var updated = 0

    package init(inserted: Int = 0, updated: Int = 0) {
        (self.inserted, self.updated) = (inserted, updated)
    }
}
