/// The member of a to-many relationship whose value is the greatest or the least, such as the latest photo.
///
/// ```swift
/// final class Place: ManagedObject {
///     @Relationship var photos: ObjectSet<Photo>
///     @DerivedObject(max: \Place.photos, by: \Photo.lastViewed) var latest: Photo?
///     @DerivedObject(min: \Place.photos, by: \Photo.title, where: \Photo.isFavorite) var first: Photo?
/// }
/// ```
///
/// It is a to-one relationship that you can read, observe, sort and fetch by, also across it, as in
/// `\Place.latest?.title`, but not set. Each change of a member or a link updates it, in O(log n) for n members.
///
/// - Members whose value is `nil`, or that do not satisfy the condition, are left out; without any it is `nil`.
/// - Of several members with the same value it is one.
/// - Files do not contain it. See <doc:DerivedAttributes>.
@propertyWrapper
public struct DerivedObject<Value: RelationshipValue>: ManagedProperty {
    /// The relationship's position among its object's properties; negative in a prototype.
    @usableFromInline let slot: Int32

    /// Gives the member with the greatest value.
    @inlinable @inline(__always)
    public init<Owner: ManagedObject, Members: RelationshipValue, Property>(
        max members: @autoclosure () -> KeyPath<Owner, Members>,
        by value: @autoclosure () -> KeyPath<Members.Destination, Property>,
        where condition: @autoclosure () -> KeyPath<Members.Destination, Bool>? = nil
    ) where Value == Members.Destination? {
        slot = takeSlot()
        if slot < 0 { Self.record(.maximum, members(), value(), condition()) }
    }

    /// Gives the member with the least value.
    @inlinable @inline(__always)
    public init<Owner: ManagedObject, Members: RelationshipValue, Property>(
        min members: @autoclosure () -> KeyPath<Owner, Members>,
        by value: @autoclosure () -> KeyPath<Members.Destination, Property>,
        where condition: @autoclosure () -> KeyPath<Members.Destination, Bool>? = nil
    ) where Value == Members.Destination? {
        slot = takeSlot()
        if slot < 0 { Self.record(.minimum, members(), value(), condition()) }
    }

    /// Tells the recorder of a prototype what this property is.
    @usableFromInline
    static func record(
        _ function: DerivationDescription.Function, _ members: AnyKeyPath, _ value: AnyKeyPath,
        _ condition: AnyKeyPath?
    ) {
        guard let recorder = ConstructionState.recorder else { return }
        let slot = recorder.properties.count
        recorder.links[Slot(slot)] = (Value.Destination.self, nil)
        recorder.sources[slot] = DerivationSource(
            members: members, property: value, condition: condition)
        var relationship = RelationshipDescription(
            name: "", destination: Value.Destination.entityName)
        relationship.derivation = DerivationDescription(function, of: "")
        recorder.properties.append(.relationship(relationship))
    }

    /// Only a managed object can own a derived object.
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "@DerivedObject belongs in a subclass of ManagedObject")
    public var wrappedValue: Value {
        preconditionFailure("@DerivedObject belongs in a subclass of ManagedObject")
    }

    /// Reads the relationship.
    public static subscript<Object: ManagedObject>(
        _enclosingInstance object: Object,
        wrapped wrapped: KeyPath<Object, Value>,
        storage storage: KeyPath<Object, Self>
    ) -> Value {
        @inlinable @inline(__always)
        get {
            let slot = object[keyPath: storage].slot
            if slot < 0 { return Value.traced(from: object, slot: Int(slot & .max)) }
            return Value.related(to: object, slot: Int(slot))
        }
    }
}
