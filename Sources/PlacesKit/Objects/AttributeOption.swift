/// What an attribute can be besides a value.
public struct AttributeOption: Sendable, Hashable {
    enum Kind: Sendable, Hashable { case unique, indexed }

    let kind: Kind

    /// No two objects of the entity share a value; `nil` is never a duplicate.
    ///
    /// A save that would break the rule is refused. `find` and `findOrInsert` take O(1).
    public static let unique = AttributeOption(kind: .unique)

    /// Objects are found by the value, and sorted by it, without looking at all of them.
    ///
    /// Comparing it with a constant and sorting by it take O(log n) then, and O(k) for k objects
    /// found; a write takes O(log n).
    public static let indexed = AttributeOption(kind: .indexed)
}
