/// What a record of a file is, when objects are imported: a new object, or one that there is.
public enum ImportPolicy: Sendable, Hashable {
    /// Every record is a new object.
    case insert
    /// A record whose value of a unique attribute an object has updates that object; any other is a
    /// new object.
    case upsert(by: String)
    /// A record with an `"id"` updates the object of that identifier, which must exist; one without is
    /// a new object.
    case identifiers
}

/// What an import did.
public struct ImportSummary: Sendable, Hashable {
    /// How many records were new objects.
    public var inserted = 0
    /// How many records updated an object.
    public var updated = 0

    package init(inserted: Int = 0, updated: Int = 0) {
        (self.inserted, self.updated) = (inserted, updated)
    }
}
