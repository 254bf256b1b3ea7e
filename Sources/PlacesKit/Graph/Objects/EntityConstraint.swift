/// What the objects of a class have to keep to, or are found by, beyond a single property.
///
/// ```swift
/// final class Photo: ManagedObject {
///     @Attribute var owner: String
///     @Attribute var number: Int
///     @Attribute var lastViewed: Date?
///     @Relationship(inverse: \Place.photos) var takenAt: Place?
///
///     override class var constraints: [EntityConstraint] {
///         [.unique(\Photo.owner, \Photo.number), .index(\Photo.takenAt, \Photo.lastViewed)]
///     }
/// }
/// ```
public struct EntityConstraint {
    enum Kind { case unique, index }

    let kind: Kind
    let keyPaths: [AnyKeyPath]

    /// No two objects share the values of all of some attributes and to-one relationships.
    ///
    /// An object that has no value in one of them shares nothing. A save that would break the rule
    /// is refused.
    public static func unique<Root: ManagedObject>(
        _ keyPaths: PartialKeyPath<Root>...
    ) -> EntityConstraint {
        EntityConstraint(kind: .unique, keyPaths: keyPaths)
    }

    /// Objects are kept in the order of some attributes and to-one relationships, the most
    /// significant first.
    public static func index<Root: ManagedObject>(
        _ keyPaths: PartialKeyPath<Root>...
    ) -> EntityConstraint {
        EntityConstraint(kind: .index, keyPaths: keyPaths)
    }
}
