public import Foundation

/// A value of a managed object, kept in a column of the graph.
///
/// ```swift
/// final class Photo: ManagedObject {
///     @Attribute(.unique) var uniqueID: String
///     @Attribute var title = ""
///     @Attribute var lastViewed: Date?
/// }
/// ```
///
/// - An attribute that is not optional and has no default needs a value before its object is saved.
/// - Writing to a deleted object changes nothing, and the next save throws an error.
@propertyWrapper
public struct Attribute<Value: AttributeValue>: ManagedProperty {
    /// The attribute's position among its object's properties; negative in a prototype.
    @usableFromInline let slot: Int32

    /// Declares an attribute without a default.
    @inlinable @inline(__always)
    public init(
        _ first: @autoclosure () -> AttributeOption? = nil,
        _ second: @autoclosure () -> AttributeOption? = nil,
        _ third: @autoclosure () -> AttributeOption? = nil,
        _ fourth: @autoclosure () -> AttributeOption? = nil,
        _ fifth: @autoclosure () -> AttributeOption? = nil,
        _ sixth: @autoclosure () -> AttributeOption? = nil
    ) {
        slot = takeSlot()
        if slot < 0, Self.isRecorded {
            Self.record(nil, nil, [first(), second(), third(), fourth(), fifth(), sixth()])
        }
    }

    /// Declares an attribute with a default: the value that new objects have.
    ///
    /// PlacesKit evaluates the default for each new object, so it may differ each time, as with
    /// `UUID()`. It also evaluates the default once for the class, and fills new rows with that
    /// value. It does so on any thread, and several may at the same time.
    @inlinable @inline(__always)
    public init(
        wrappedValue: @autoclosure @escaping @Sendable () -> Value,
        _ first: @autoclosure () -> AttributeOption? = nil,
        _ second: @autoclosure () -> AttributeOption? = nil,
        _ third: @autoclosure () -> AttributeOption? = nil,
        _ fourth: @autoclosure () -> AttributeOption? = nil,
        _ fifth: @autoclosure () -> AttributeOption? = nil,
        _ sixth: @autoclosure () -> AttributeOption? = nil
    ) {
        slot = takeSlot()
        if slot < 0, Self.isRecorded {
            let initial = wrappedValue()
            Self.record(
                initial, .making(wrappedValue, initial: initial),
                [first(), second(), third(), fourth(), fifth(), sixth()])
        }
    }

    /// Whether somebody wants to know what the properties of a prototype are: the first one of its class is asked.
    @usableFromInline static var isRecorded: Bool { ConstructionState.recorder != nil }

    /// Tells the recorder of a prototype what this property is.
    @usableFromInline
    static func record(
        _ initial: Value?, _ makeDefault: AttributeDefault?, _ options: [AttributeOption?]
    ) {
        ConstructionState.recorder?
            .record(initial, makeDefault, options: options.compactMap(\.self))
    }

    /// Reads a value that lies in a file.
    @usableFromInline @inline(never)
    static func externalValue(_ block: UnsafeMutableRawPointer, _ offset: Int) -> Value {
        Value(external: block, at: offset)
    }

    /// Only a managed object can own an attribute.
    @_documentation(visibility: internal)
    @available(*, unavailable, message: "@Attribute belongs in a subclass of ManagedObject")
    public var wrappedValue: Value {
        get { preconditionFailure("@Attribute belongs in a subclass of ManagedObject") }
        // swift-format-ignore: UnusedSetterValue
        set { preconditionFailure("@Attribute belongs in a subclass of ManagedObject") }
    }

    /// Reads and writes the attribute in its object's column.
    public static subscript<Object: ManagedObject>(
        _enclosingInstance object: Object,
        wrapped wrapped: ReferenceWritableKeyPath<Object, Value>,
        storage storage: ReferenceWritableKeyPath<Object, Self>
    ) -> Value {
        @inlinable @inline(__always)
        get {
            let marked = object[keyPath: storage].slot
            let access = object._access
            // A prototype is asked which slots a key path reads. These are plain stores: a call
            // here, though never made, would cost every other read a retain and a release.
            if marked < 0, let trace = access.pointee.trace {
                trace[0] &+= 1
                trace[Int(trace[0] & 15) + 1] = marked & .max
            }
            let row = object.row
            if access.pointee.isTracked { noteRead(access, row, marked) }
            let block = access.pointee.columns[Int(marked & .max)][row.chunk]
            let offset = row.offset
            // Known when the accessor is compiled, but for data and text.
            if Value.Stored.self == Data.self, block.isExternal {
                return externalValue(block, offset)
            }
            if Value.Stored.self == String.self, access.pointee.mayBePacked { block.unpackTexts() }
            return Value(
                stored: block.slots(of: Value.Stored.self)[offset],
                isValid: !Value.isOptional || block.isValid(at: offset))
        }
        @inlinable @inline(__always)
        set {
            // The value is used once on each way, so that it is moved and not counted. A type may convert it by code that
            // writes other objects, and even saves, so where the row lies is looked up afterwards.
            let stored =
                Value.isKeptAsJSON
                ? object._json(of: newValue, object[keyPath: storage].slot) : newValue.storedIfAny
            let slot = Slot(rawValue: object[keyPath: storage].slot & .max)
            let access = object._access
            let row = object.row
            let offset = row.offset
            let chunk = row.chunk
            let block = access.pointee.columns[slot.index][chunk]
            let changes = PropertyMask(rawValue: access.pointee.changes[chunk][offset])
            // The shortcut: the change is noted already, and the chunk is ours alone, so that no text of it is packed.
            if changes.contains(PropertyMask(slot: slot)),
                block.chunkOwner == access.pointee.token.pointee
            {
                block.setValid(stored != nil, at: offset)
                block.slots(of: Value.Stored.self)[offset] = stored ?? .unset
            } else {
                object._write(stored, slot: slot)
            }
        }
    }
}

/// A property wrapper of a managed object.
protocol ManagedProperty {
    /// The names of what has a slot of its own, behind that of the property; one that is empty for most.
    static var partNames: [String] { get }
}

extension ManagedProperty {
    static var partNames: [String] { [""] }
}
