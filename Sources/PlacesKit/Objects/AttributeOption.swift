/// What an attribute can be besides a value.
public struct AttributeOption: Sendable, Hashable {
    enum Kind: Sendable, Hashable { case unique }

    let kind: Kind

    /// No two objects of the entity share a value; `nil` is never a duplicate.
    ///
    /// A save that would break the rule is refused. `find` and `findOrInsert` take O(1).
    public static let unique = AttributeOption(kind: .unique)
}
