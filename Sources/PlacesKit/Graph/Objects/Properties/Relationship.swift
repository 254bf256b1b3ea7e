/// A link to one other object, or to any number; PlacesKit keeps its inverse up to date.
///
/// ```swift
/// @Relationship(inverse: \Place.photos) var takenAt: Place?             // to one
/// @Relationship(deleteRule: .cascade) var photos: ObjectSet<Photo>      // to many, its inverse
/// @Relationship(maximumCount: 9) var pages: OrderedObjectSet<Page>      // to many, ordered
/// ```
///
/// Name the inverse on one side only. If neither side names it and exactly one relationship fits,
/// PlacesKit infers it. No relationship is its own inverse: see <doc:CoreDataDifferences>.
@propertyWrapper
public struct Relationship<Value: RelationshipValue>: ManagedProperty {
    /// The relationship's position among its object's properties; negative in a prototype.
    @usableFromInline let slot: Int32

    /// Declares a relationship whose inverse, if any, is named on the other side or inferred.
    ///
    /// - Parameters:
    ///   - deleteRule: What happens to the other objects when the owner is deleted.
    ///   - minimumCount: How many objects it must hold at least when the owner is saved; 1 makes a
    ///     to-one relationship required.
    ///   - maximumCount: How many objects it may hold at most when the owner is saved.
    ///   - originalName: The name that it had in earlier versions of the model.
    @inlinable @inline(__always)
    public init(
        deleteRule: @autoclosure () -> DeleteRule = .nullify,
        minimumCount: @autoclosure () -> Int = 0,
        maximumCount: @autoclosure () -> Int? = nil,
        originalName: @autoclosure () -> String? = nil
    ) {
        slot = takeSlot()
        if slot < 0 {
            Self.record(nil, deleteRule(), minimumCount(), maximumCount(), originalName())
        }
    }

    /// Declares a relationship and names its inverse.
    ///
    /// - Parameters:
    ///   - deleteRule: What happens to the other objects when the owner is deleted.
    ///   - minimumCount: How many objects it must hold at least when the owner is saved; 1 makes a
    ///     to-one relationship required.
    ///   - maximumCount: How many objects it may hold at most when the owner is saved.
    ///   - originalName: The name that it had in earlier versions of the model.
    ///   - inverse: The relationship of the other class that mirrors this one.
    @inlinable @inline(__always)
    public init<Inverse: RelationshipValue>(
        deleteRule: @autoclosure () -> DeleteRule = .nullify,
        minimumCount: @autoclosure () -> Int = 0,
        maximumCount: @autoclosure () -> Int? = nil,
        originalName: @autoclosure () -> String? = nil,
        inverse: @autoclosure () -> KeyPath<Value.Destination, Inverse>
    ) {
        slot = takeSlot()
        if slot < 0 {
            Self.record(inverse(), deleteRule(), minimumCount(), maximumCount(), originalName())
        }
    }

    /// Tells the recorder of a prototype what this property is.
    @usableFromInline
    static func record(
        _ inverse: AnyKeyPath?, _ deleteRule: DeleteRule, _ minimumCount: Int,
        _ maximumCount: Int?, _ originalName: String?
    ) {
        guard let recorder = ConstructionState.recorder else { return }
        let slot = recorder.properties.count
        recorder.links[Slot(slot)] = (Value.Destination.self, inverse)
        var relationship = RelationshipDescription(
            name: "", destination: Value.Destination.entityName, isToMany: Value.isToMany,
            deleteRule: deleteRule)
        relationship.isOrdered = Value.isOrdered
        relationship.minimumCount = minimumCount
        relationship.maximumCount = maximumCount
        relationship.originalName = originalName
        let most = min(maximumCount ?? .max, Value.isToMany ? .max : 1)
        if minimumCount < 0 || most < 0 {
            recorder.problems[slot] = """
                has a minimumCount or a maximumCount below 0: give one from 0 on, or leave it out.
                """
        } else if minimumCount > most {
            recorder.problems[slot] = """
                must lead to at least \(minimumCount) objects, and can never: give a minimumCount \
                from 0 to \(most).
                """
        }
        recorder.properties.append(.relationship(relationship))
    }

    /// Only a managed object can own a relationship.
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "@Relationship belongs in a subclass of ManagedObject")
    public var wrappedValue: Value {
        get { preconditionFailure("@Relationship belongs in a subclass of ManagedObject") }
        // swift-format-ignore: UnusedSetterValue
        set { preconditionFailure("@Relationship belongs in a subclass of ManagedObject") }
    }

    /// Reads the relationship, or sets the objects that it holds.
    public static subscript<Object: ManagedObject>(
        _enclosingInstance object: Object,
        wrapped wrapped: ReferenceWritableKeyPath<Object, Value>,
        storage storage: ReferenceWritableKeyPath<Object, Self>
    ) -> Value {
        // Inlined so that the key paths are folded away and not made anew each time.
        @inlinable @inline(__always)
        get {
            let slot = object[keyPath: storage].slot
            if slot < 0 { return Value.traced(from: object, slot: Int(slot & .max)) }
            return Value.related(to: object, slot: Int(slot))
        }
        @inlinable @inline(__always)
        set { newValue.relate(to: object, slot: Int(object[keyPath: storage].slot & .max)) }
    }
}

/// A type that a relationship can have: an optional object, an ``ObjectSet``, or an
/// ``OrderedObjectSet``.
///
/// The set of types is closed; do not conform types of your own.
public protocol RelationshipValue {
    /// The class at the other end.
    associatedtype Destination: ManagedObject
    /// Whether the relationship holds any number of objects.
    @_documentation(visibility: internal)
    static var isToMany: Bool { get }
    /// Whether the relationship has an order of its own.
    @_documentation(visibility: internal)
    static var isOrdered: Bool { get }
    /// Returns what the relationship of an object holds.
    @_documentation(visibility: internal)
    static func related(to object: ManagedObject, slot: Int) -> Self
    /// Returns the same for a prototype, which only records the slot that was read.
    @_documentation(visibility: internal)
    static func traced(from object: ManagedObject, slot: Int) -> Self
    /// Sets the relationship of an object to this value.
    @_documentation(visibility: internal)
    func relate(to object: ManagedObject, slot: Int)
}

@_documentation(visibility: internal)
extension RelationshipValue {
    /// `false`.
    public static var isOrdered: Bool { false }
}

@_documentation(visibility: internal)
extension Optional: RelationshipValue where Wrapped: ManagedObject {
    /// The wrapped class.
    public typealias Destination = Wrapped
    /// `false`.
    public static var isToMany: Bool { false }

    /// Returns the object that a to-one relationship holds.
    @inlinable @inline(__always)
    public static func related(to object: ManagedObject, slot: Int) -> Wrapped? {
        object._destination(Slot(slot)).map { unsafeDowncast($0, to: Wrapped.self) }
    }

    /// Returns the prototype of the destination.
    public static func traced(from object: ManagedObject, slot: Int) -> Wrapped? {
        Prototypes.follow(Slot(slot), from: object, to: Wrapped.self)
    }

    /// Sets a to-one relationship to this object, or to `nil`.
    public func relate(to object: ManagedObject, slot: Int) {
        let slot = Slot(slot)
        guard object.canChange(slot), let transaction = object._access.pointee.transaction else {
            return
        }
        let row: Row
        if let target = self {
            guard object.canRelate(to: target, slot) else { return }
            row = target.row
        } else {
            row = .none
        }
        transaction._withUnsafeGuaranteedRef {
            $0.setToOne(object.row, slot, in: TableNumber(object._access - $0.access), to: row)
            $0.observations.tell()
        }
    }
}

extension ManagedObject {
    /// Whether a relationship of this object may change; if not, the next save says why.
    final func canChange(_ slot: Slot) -> Bool {
        guard _access.pointee.contains(row), let transaction = _access.pointee.transaction else {
            noteChangeAfterDelete(slot)
            return false
        }
        let isComputing = transaction._withUnsafeGuaranteedRef { $0.isComputing }
        if isComputing { noteChangeInsideDerivation() }
        return !isComputing
    }

    /// Whether this object may be linked to `other`; if not, the next save says why, unless a rule that denies the
    /// delete of `other` has kept the link that there was.
    final func canRelate(to other: ManagedObject, _ slot: Slot) -> Bool {
        let isSameContext =
            other._access.pointee.transaction?.toOpaque()
            == _access.pointee.transaction?.toOpaque()
        if isSameContext, other._access.pointee.contains(other.row) { return true }
        if isSameContext, let table,
            table.transaction.isMember(other.row, of: row, slot, in: table.number)
        {
            return false
        }
        let property = table?.name(of: slot) ?? ""
        context?.note(
            isSameContext
                ? .deletedObjectRelated(objectID, property: property, other.objectID)
                : .objectFromAnotherContext(objectID, property: property, other.objectID))
        return false
    }

    /// The name of the entity that a class describes: its own name.
    class var entityName: String { String(describing: self) }
}
