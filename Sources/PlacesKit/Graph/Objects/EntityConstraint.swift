/// A unique combination or an index over several properties of a class.
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

    /// Makes the combined values of attributes and to-one relationships unique.
    ///
    /// An object that has no value in one of them is never a duplicate. A save that would break the
    /// rule is refused.
    public static func unique<Root: ManagedObject>(
        _ keyPaths: PartialKeyPath<Root>...
    ) -> EntityConstraint {
        EntityConstraint(kind: .unique, keyPaths: keyPaths)
    }

    /// Keeps an index over attributes and to-one relationships, the most significant first.
    public static func index<Root: ManagedObject>(
        _ keyPaths: PartialKeyPath<Root>...
    ) -> EntityConstraint {
        EntityConstraint(kind: .index, keyPaths: keyPaths)
    }
}
