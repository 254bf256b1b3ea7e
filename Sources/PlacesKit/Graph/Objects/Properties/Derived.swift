/// A value that PlacesKit computes from the members of a to-many relationship, reads at the end of a
/// chain of to-one relationships, or makes of other attributes of the object.
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
/// You can read, observe and index it, fetch by it and sort by it like an attribute, but not write
/// it. Each change of a member or a link updates it, in O(log n) for n members. A change on a chain,
/// as in `@Derived(\Photo.place?.country?.name)`, updates each of the k objects whose chain it is on,
/// in O(k). What a closure makes of other attributes, as in
/// `@Derived(from: \Person.first, \Person.last, by: { "\($0) \($1)" })`, is made anew when one of them changes.
///
/// - Members whose value is `nil`, or that do not satisfy the condition, are left out.
/// - If `Int` cannot hold a sum of integers, the value is the nearest `Int` until the sum fits
///   again.
/// - A sum of floating-point numbers is exact and rounded once, so it does not depend on the order
///   of the changes. Without members it is zero.
/// - The least and the greatest value are `nil` without members. NaN is greater than all numbers, in a `Decimal`
///   less.
/// - Text is ordered as `<` does, and so are the values of a type of one's own. Equal texts, and zeros of either sign, are
///   one distinct value.
/// - A derived attribute may be computed from other derived attributes, but not from itself.
@propertyWrapper
public struct Derived<Value: AttributeValue>: ManagedProperty {
    /// The attribute's position among its object's properties; negative in a prototype.
    @usableFromInline let slot: Int32

    /// Counts the members, or those that satisfy a condition.
    @inlinable @inline(__always)
    public init<Owner: ManagedObject, Members: RelationshipValue>(
        count members: @autoclosure () -> KeyPath<Owner, Members>,
        where condition: @autoclosure () -> KeyPath<Members.Destination, Bool>? = nil,
        _ option: @autoclosure () -> AttributeOption? = nil
    ) where Value == Int {
        slot = takeSlot()
        if slot < 0 { Self.record(.count, members(), nil, condition(), option()) }
    }

    /// Tells whether there is a member, or one that satisfies a condition.
    @inlinable @inline(__always)
    public init<Owner: ManagedObject, Members: RelationshipValue>(
        any members: @autoclosure () -> KeyPath<Owner, Members>,
        where condition: @autoclosure () -> KeyPath<Members.Destination, Bool>? = nil,
        _ option: @autoclosure () -> AttributeOption? = nil
    ) where Value == Bool {
        slot = takeSlot()
        if slot < 0 { Self.record(.any, members(), nil, condition(), option()) }
    }

    /// Sums an integer of the members.
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

    /// Sums a floating-point number of the members.
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

    /// Counts the different values of an attribute or a to-one relationship of the members.
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

    /// Gives the value of an attribute at the end of a chain of to-one relationships; `nil` where the
    /// chain ends before.
    @inlinable @inline(__always)
    public init<Owner: ManagedObject, Wrapped: AttributeValue>(
        _ path: @autoclosure () -> KeyPath<Owner, Wrapped?>,
        _ option: @autoclosure () -> AttributeOption? = nil
    ) where Value == Wrapped? {
        slot = takeSlot()
        if slot < 0 { Self.record(.value, path(), nil, nil, option()) }
    }

    /// Makes a value of another attribute of the object.
    ///
    /// - Parameters:
    ///   - source: The attribute, which may be derived itself.
    ///   - option: Whether the value is indexed, searchable or unique.
    ///   - make: Makes the value, on any thread; it depends on nothing but the attribute.
    @inlinable @inline(__always)
    public init<Owner: ManagedObject, Source: AttributeValue>(
        from source: @autoclosure () -> KeyPath<Owner, Source>,
        _ option: @autoclosure () -> AttributeOption? = nil,
        by make: @escaping @Sendable (Source) -> Value
    ) {
        slot = takeSlot()
        if slot < 0 { Self.record([source()], .making(make), option()) }
    }

    /// Makes a value of two other attributes of the object.
    @inlinable @inline(__always)
    public init<Owner: ManagedObject, First: AttributeValue, Second: AttributeValue>(
        from first: @autoclosure () -> KeyPath<Owner, First>,
        _ second: @autoclosure () -> KeyPath<Owner, Second>,
        _ option: @autoclosure () -> AttributeOption? = nil,
        by make: @escaping @Sendable (First, Second) -> Value
    ) {
        slot = takeSlot()
        if slot < 0 { Self.record([first(), second()], .making(make), option()) }
    }

    /// Makes a value of three other attributes of the object.
    @inlinable @inline(__always)
    public init<
        Owner: ManagedObject, First: AttributeValue, Second: AttributeValue, Third: AttributeValue
    >(
        from first: @autoclosure () -> KeyPath<Owner, First>,
        _ second: @autoclosure () -> KeyPath<Owner, Second>,
        _ third: @autoclosure () -> KeyPath<Owner, Third>,
        _ option: @autoclosure () -> AttributeOption? = nil,
        by make: @escaping @Sendable (First, Second, Third) -> Value
    ) {
        slot = takeSlot()
        if slot < 0 { Self.record([first(), second(), third()], .making(make), option()) }
    }

    /// Tells the recorder of a prototype what this property is; what the key paths mean is found out
    /// when all classes are known.
    @usableFromInline
    static func record(
        _ function: DerivationDescription.Function, _ members: AnyKeyPath,
        _ property: AnyKeyPath?, _ condition: AnyKeyPath?, _ option: AttributeOption?
    ) {
        record(
            DerivationSource(members: members, property: property, condition: condition),
            DerivationDescription(function, of: ""), option)
    }

    /// Tells the recorder of what a closure makes of other attributes.
    @usableFromInline
    static func record(
        _ sources: [AnyKeyPath], _ computation: DerivedComputation, _ option: AttributeOption?
    ) {
        var derivation = DerivationDescription(.computed, of: "")
        derivation.computation = computation
        record(DerivationSource(members: sources[0], own: sources), derivation, option)
    }

    private static func record(
        _ source: DerivationSource, _ derivation: DerivationDescription, _ option: AttributeOption?
    ) {
        guard let recorder = ConstructionState.recorder else { return }
        recorder.sources[recorder.properties.count] = source
        var attribute = AttributeDescription(
            name: "", type: Value.attributeType, isOptional: Value.isOptional,
            allowedValues: Value.allowedValues,
            isIndexed: option == .indexed, derivation: derivation)
        attribute.isSearchable = option == .searchable
        attribute.order = OwnOrder(of: Value.self)
        if case .unique(let policy)? = option?.kind {
            attribute.isUnique = true
            attribute.clashPolicy = policy
        }
        if let problem = recorder.problem(of: Value.self, attribute) {
            recorder.problems[recorder.properties.count] = problem
        } else if let check = ValueCheck(of: Value.self) {
            recorder.checks[recorder.properties.count] = check
            if !attribute.isOptional { derivation.computation?.rememberFallback() }
        }
        recorder.properties.append(.attribute(attribute))
    }

    /// Only a managed object can own a derived attribute.
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "@Derived belongs in a subclass of ManagedObject")
    public var wrappedValue: Value {
        preconditionFailure("@Derived belongs in a subclass of ManagedObject")
    }

    /// Reads the attribute from its object's column.
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
    var property: AnyKeyPath?
    var condition: AnyKeyPath?
    /// The attributes of the object itself that a closure gets.
    var own: [AnyKeyPath] = []
}
