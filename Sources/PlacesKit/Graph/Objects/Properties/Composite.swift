/// A value of a managed object whose parts lie in columns of their own.
///
/// ```swift
/// final class Pin: ManagedObject {
///     @Composite var coordinate: Coordinate?
/// }
/// ```
///
/// It is like an `Attribute` of each part. If it is not optional and has no default, its parts need values before the
/// object is saved, but for those that are optional. An optional one is `nil` where no part has a value. See
/// ``CompositeAttribute``.
@propertyWrapper
public struct Composite<Value: CompositeValue>: ManagedProperty {
    /// The position of the first part among its object's properties, which those of the others follow; negative in a
    /// prototype.
    @usableFromInline let slot: Int32

    /// Declares a composite attribute without a default.
    public init() { self.init(initial: nil) }

    /// Declares a composite attribute with a default, which is evaluated once for the class.
    public init(wrappedValue: @autoclosure () -> Value) {
        self.init(initial: wrappedValue())
    }

    private init(initial: @autoclosure () -> Value?) {
        slot = takeSlot()
        for _ in Value.Whole.parts.dropFirst() { _ = takeSlot() }
        if slot < 0 { ConstructionState.recorder?.record(Value.self, initial: initial()) }
    }

    /// Only a managed object can own an attribute.
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "@Composite belongs in a subclass of ManagedObject")
    public var wrappedValue: Value {
        get { preconditionFailure("@Composite belongs in a subclass of ManagedObject") }
        // swift-format-ignore: UnusedSetterValue
        set { preconditionFailure("@Composite belongs in a subclass of ManagedObject") }
    }

    /// Reads and writes the parts in their object's columns.
    public static subscript<Object: ManagedObject>(
        _enclosingInstance object: Object,
        wrapped wrapped: ReferenceWritableKeyPath<Object, Value>,
        storage storage: ReferenceWritableKeyPath<Object, Self>
    ) -> Value {
        // Inlined, for then the compiler knows where the slot lies.
        @inlinable @inline(__always)
        get { object._composite(Value.self, object[keyPath: storage].slot) }
        @inlinable @inline(__always)
        set { object._setComposite(newValue, object[keyPath: storage].slot) }
    }

    static var partNames: [String] {
        let names = Value.Whole.parts.map(\.name)
        return names.isEmpty ? [""] : names
    }
}

extension ManagedObject {
    /// Writes the parts of a composite attribute; the first one is in a slot.
    @usableFromInline
    final func _setComposite<Value: CompositeValue>(_ value: Value, _ marked: Int32) {
        let (parts, whole) = (Value.Whole.parts, value.whole)
        func write() {
            // An iterator of a type that is not known here takes longer than the parts.
            var position = 0
            while position < parts.count {
                parts[position].write(whole, self, Slot(rawValue: marked & .max + Int32(position)))
                position += 1
            }
        }
        guard let transaction = _access.pointee.transaction else { return write() }
        transaction._withUnsafeGuaranteedRef { $0.observations.tellOnce(write) }
    }

    /// Reads the parts of a composite attribute; the first one is in a slot.
    @usableFromInline
    final func _composite<Value: CompositeValue>(
        _ type: Value.Type, _ marked: Int32
    ) -> Value {
        let first = Slot(rawValue: marked & .max)
        let access = _access
        var whole = Value.Whole()
        var hasParts = !Value.mayBeMissing
        let parts = Value.Whole.parts
        var position = 0
        while position < parts.count {
            let slot = Slot(rawValue: first.rawValue + Int32(position))
            if marked < 0 { Prototypes.note(slot, of: self) }
            noteRead(slot)
            let block = access.pointee.columns[slot.index][row.chunk]
            if !hasParts { hasParts = block.isValid(at: row.offset) }
            parts[position].read(&whole, block, row.offset)
            position += 1
        }
        return Value(whole: hasParts ? whole : nil)
    }
}

extension PropertyRecorder {
    /// Notes the parts of a composite attribute.
    fileprivate func record<Value: CompositeValue>(_ type: Value.Type, initial: Value?) {
        let parts = Value.Whole.parts
        let problem =
            if parts.isEmpty {
                "is of the type \(Value.Whole.self), which has no parts. Let parts list them."
            } else if let name = parts.map(\.name).firstUnfit {
                "has a part named \"\(name)\". Give each part a name of its own, without a dot."
            } else {
                String?.none
            }
        let first = properties.count
        for part in parts { part.record(self, initial?.whole, Value.mayBeMissing) }
        // It has taken a slot, whatever it is.
        if parts.isEmpty { properties.append(.attribute(.init(name: "", type: .boolean))) }
        if let problem { problems[first] = problem }
        composites[Slot(first)] = CompositeLayout(
            Value.Whole.self, isOptional: Value.mayBeMissing)
    }
}

extension [String] {
    /// A name that is empty, has a dot, or is there twice.
    fileprivate var firstUnfit: String? {
        enumerated().first { index, name in
            name.isEmpty || name.contains(".") || self[..<index].contains(name)
        }?.element
    }
}
