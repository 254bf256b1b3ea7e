/// A value of a managed object that follows from the members of a to-many relationship.
///
/// ```swift
/// final class Place: ManagedObject {
///     @Relationship var photos: ObjectSet<Photo>
///     @Derived(count: \Place.photos) var photoCount: Int
///     @Derived(any: \Place.photos, where: \Photo.isFavorite) var hasFavorites: Bool
///     @Derived(max: \Place.photos, \Photo.lastViewed) var lastViewed: Date?
///     @Derived(countDistinct: \Place.photos, \Photo.takenBy) var photographers: Int
/// }
/// ```
///
/// It is there to be read, fetched by, sorted by, indexed and observed like an attribute; nobody
/// writes it. Whatever changes a member or a link changes it too, in O(log n) of the members.
///
/// - A member whose value is `nil` is left out, and so is one that does not satisfy the condition.
/// - A sum of integers that `Int` cannot hold is the nearest number that it can, until it can again.
/// - A sum of floating-point numbers is exact and rounded once: it does not depend on the order of
///   the changes. One of no members is zero.
/// - The least and the greatest of nothing is `nil`; what is not a number is greater than all that is.
/// - Text is ordered as `<` does, and values of equal text or zeros of either sign are not distinct.
/// - Derived attributes may be made of others, but not of themselves.
@propertyWrapper
public struct Derived<Value: AttributeValue>: ManagedProperty {
    /// The attribute's position among its object's properties; negative in a prototype.
    @usableFromInline let slot: Int32

    /// Counts the members, or those for which a condition holds.
    @inlinable @inline(__always)
    public init<Owner: ManagedObject, Members: RelationshipValue>(
        count members: @autoclosure () -> KeyPath<Owner, Members>,
        where condition: @autoclosure () -> KeyPath<Members.Destination, Bool>? = nil,
        _ option: @autoclosure () -> AttributeOption? = nil
    ) where Value == Int {
        slot = takeSlot()
        if slot < 0 { Self.record(.count, members(), nil, condition(), option()) }
    }

    /// Tells whether there is a member, or one for which a condition holds.
    @inlinable @inline(__always)
    public init<Owner: ManagedObject, Members: RelationshipValue>(
        any members: @autoclosure () -> KeyPath<Owner, Members>,
        where condition: @autoclosure () -> KeyPath<Members.Destination, Bool>? = nil,
        _ option: @autoclosure () -> AttributeOption? = nil
    ) where Value == Bool {
        slot = takeSlot()
        if slot < 0 { Self.record(.any, members(), nil, condition(), option()) }
    }

    /// Sums up an integer of the members.
    @inlinable @inline(__always)
    public init<Owner: ManagedObject, Members: RelationshipValue, Number: AttributeValue>(
        sum members: @autoclosure () -> KeyPath<Owner, Members>,
        _ number: @autoclosure () -> KeyPath<Members.Destination, Number>,
        where condition: @autoclosure () -> KeyPath<Members.Destination, Bool>? = nil,
        _ option: @autoclosure () -> AttributeOption? = nil
    ) where Value == Int, Number.Stored == Int64 {
        slot = takeSlot()
        if slot < 0 { Self.record(.sum, members(), number(), condition(), option()) }
    }

    /// Sums up a floating-point number of the members.
    @inlinable @inline(__always)
    public init<Owner: ManagedObject, Members: RelationshipValue, Number: AttributeValue>(
        sum members: @autoclosure () -> KeyPath<Owner, Members>,
        _ number: @autoclosure () -> KeyPath<Members.Destination, Number>,
        where condition: @autoclosure () -> KeyPath<Members.Destination, Bool>? = nil,
        _ option: @autoclosure () -> AttributeOption? = nil
    ) where Value == Double, Number.Stored == Double {
        slot = takeSlot()
        if slot < 0 { Self.record(.sum, members(), number(), condition(), option()) }
    }

    /// Gives the least value of the members.
    @inlinable @inline(__always)
    public init<Owner: ManagedObject, Members: RelationshipValue, Wrapped: AttributeValue>(
        min members: @autoclosure () -> KeyPath<Owner, Members>,
        _ value: @autoclosure () -> KeyPath<Members.Destination, Wrapped>,
        where condition: @autoclosure () -> KeyPath<Members.Destination, Bool>? = nil,
        _ option: @autoclosure () -> AttributeOption? = nil
    ) where Value == Wrapped? {
        slot = takeSlot()
        if slot < 0 { Self.record(.minimum, members(), value(), condition(), option()) }
    }

    /// Gives the least value of the members that have one.
    @inlinable @inline(__always)
    public init<Owner: ManagedObject, Members: RelationshipValue, Wrapped: AttributeValue>(
        min members: @autoclosure () -> KeyPath<Owner, Members>,
        _ value: @autoclosure () -> KeyPath<Members.Destination, Wrapped?>,
        where condition: @autoclosure () -> KeyPath<Members.Destination, Bool>? = nil,
        _ option: @autoclosure () -> AttributeOption? = nil
    ) where Value == Wrapped? {
        slot = takeSlot()
        if slot < 0 { Self.record(.minimum, members(), value(), condition(), option()) }
    }

    /// Gives the greatest value of the members.
    @inlinable @inline(__always)
    public init<Owner: ManagedObject, Members: RelationshipValue, Wrapped: AttributeValue>(
        max members: @autoclosure () -> KeyPath<Owner, Members>,
        _ value: @autoclosure () -> KeyPath<Members.Destination, Wrapped>,
        where condition: @autoclosure () -> KeyPath<Members.Destination, Bool>? = nil,
        _ option: @autoclosure () -> AttributeOption? = nil
    ) where Value == Wrapped? {
        slot = takeSlot()
        if slot < 0 { Self.record(.maximum, members(), value(), condition(), option()) }
    }

    /// Gives the greatest value of the members that have one.
    @inlinable @inline(__always)
    public init<Owner: ManagedObject, Members: RelationshipValue, Wrapped: AttributeValue>(
        max members: @autoclosure () -> KeyPath<Owner, Members>,
        _ value: @autoclosure () -> KeyPath<Members.Destination, Wrapped?>,
        where condition: @autoclosure () -> KeyPath<Members.Destination, Bool>? = nil,
        _ option: @autoclosure () -> AttributeOption? = nil
    ) where Value == Wrapped? {
        slot = takeSlot()
        if slot < 0 { Self.record(.maximum, members(), value(), condition(), option()) }
    }

    /// Counts the different values that an attribute, or a to-one relationship, of the members has.
    @inlinable @inline(__always)
    public init<Owner: ManagedObject, Members: RelationshipValue, Property>(
        countDistinct members: @autoclosure () -> KeyPath<Owner, Members>,
        _ property: @autoclosure () -> KeyPath<Members.Destination, Property>,
        where condition: @autoclosure () -> KeyPath<Members.Destination, Bool>? = nil,
        _ option: @autoclosure () -> AttributeOption? = nil
    ) where Value == Int {
        slot = takeSlot()
        if slot < 0 { Self.record(.countDistinct, members(), property(), condition(), option()) }
    }

    /// Tells the recorder of a prototype what this property is; what the key paths mean is found out
    /// when all classes are known.
    @usableFromInline
    static func record(
        _ function: DerivationDescription.Function, _ members: AnyKeyPath,
        _ property: AnyKeyPath?, _ condition: AnyKeyPath?, _ option: AttributeOption?
    ) {
        guard
            let recorder = ConstructionState.current.pointee.recorder?.takeUnretainedValue()
        else { return }
        recorder.sources[recorder.properties.count] = DerivationSource(
            members: members, property: property, condition: condition)
        var attribute = AttributeDescription(
            name: "", type: Value.attributeType, isOptional: Value.isOptional,
            isUnique: option == .unique, allowedValues: Value.allowedValues,
            isIndexed: option == .indexed, derivation: DerivationDescription(function, of: ""))
        attribute.isSearchable = option == .searchable
        recorder.problems[recorder.properties.count] = recorder.problem(of: Value.self, attribute)
        recorder.properties.append(.attribute(attribute))
    }

    /// Only a managed object can own a derived attribute.
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "@Derived belongs into a subclass of ManagedObject")
    public var wrappedValue: Value {
        preconditionFailure("@Derived belongs into a subclass of ManagedObject")
    }

    /// Reads the attribute in its object's column.
    public static subscript<Object: ManagedObject>(
        _enclosingInstance object: Object,
        wrapped wrapped: KeyPath<Object, Value>,
        storage storage: KeyPath<Object, Self>
    ) -> Value {
        @inlinable @inline(__always)
        get {
            let marked = object[keyPath: storage].slot
            let access = object._access
            // As in `Attribute`: plain stores, for a call would cost every other read.
            if marked < 0, let trace = access.pointee.trace {
                trace[0] &+= 1
                trace[Int(trace[0] & 15) + 1] = marked & .max
            }
            let row = object.row
            if access.pointee.isTracked { noteRead(access, row, marked) }
            let block = access.pointee.columns[Int(marked & .max)][row.chunk]
            let offset = row.offset
            return Value(
                stored: block.elements(of: Value.Stored.self)[offset],
                isValid: !Value.isOptional || block.isValid(at: offset))
        }
    }
}

/// The key paths that a derived attribute is declared with.
struct DerivationSource {
    let members: AnyKeyPath
    let property: AnyKeyPath?
    let condition: AnyKeyPath?
}
