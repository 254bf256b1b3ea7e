public import PlacesBase

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
    enum Kind: Equatable, Sendable {
        case unique(ClashPolicy?)
        case index, partialIndex, spatialIndex
    }

    let kind: Kind
    let keyPaths: [AnyKeyPath]

    /// Makes the combined values of attributes and to-one relationships unique.
    ///
    /// An object that has no value in one of them is never a duplicate, nor is one of a class that does not inherit
    /// from the one that declares the rule. A save that would break it is refused, unless `policy` lets a new object
    /// become the one that has the values.
    public static func unique<Root: ManagedObject>(
        _ keyPaths: PartialKeyPath<Root>..., onClash policy: ClashPolicy = .fail
    ) -> EntityConstraint {
        EntityConstraint(kind: .unique(policy), keyPaths: keyPaths)
    }

    /// Keeps an index over attributes and to-one relationships, the most significant first.
    public static func index<Root: ManagedObject>(
        _ keyPaths: PartialKeyPath<Root>...
    ) -> EntityConstraint {
        EntityConstraint(kind: .index, keyPaths: keyPaths)
    }

    /// Keeps an index over those objects alone whose attribute is true.
    ///
    /// ```swift
    /// override class var constraints: [EntityConstraint] { [.index(\Photo.lastViewed, where: \.isFavorite)] }
    /// ```
    ///
    /// It serves requests that ask for the attribute, as `$0.isFavorite`, besides comparing the properties or sorting by
    /// the last. Other objects take no room in it, and no time when they change.
    public static func index<Root: ManagedObject>(
        _ keyPaths: PartialKeyPath<Root>..., where attribute: KeyPath<Root, Bool>
    ) -> EntityConstraint {
        EntityConstraint(kind: .partialIndex, keyPaths: [attribute] + keyPaths)
    }

    /// Keeps an index of where objects lie on the map: of a latitude and a longitude in degrees.
    ///
    /// Requests for objects in a box or a circle then read only what lies there, and those for the nearest ones only
    /// what lies near. See <doc:Maps>.
    public static func spatialIndex<Root: ManagedObject>(
        latitude: PartialKeyPath<Root>, longitude: PartialKeyPath<Root>
    ) -> EntityConstraint {
        EntityConstraint(kind: .spatialIndex, keyPaths: [latitude, longitude])
    }

    /// Keeps an index of where objects lie on the map.
    public static func spatialIndex<Root: ManagedObject, Value: CompositeValue>(
        _ coordinate: KeyPath<Root, Value>
    ) -> EntityConstraint where Value.Whole == Coordinate {
        EntityConstraint(kind: .spatialIndex, keyPaths: [coordinate])
    }
}

/// A constraint by the names of its properties.
struct NamedConstraint: Equatable, Sendable {
    var kind: EntityConstraint.Kind
    var names: [String]
}
