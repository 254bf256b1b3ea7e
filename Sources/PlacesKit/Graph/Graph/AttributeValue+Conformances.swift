public import Foundation

extension Bool {
    /// The column that holds the values.
    public typealias Stored = Bool
    /// `.boolean`.
    public static var attributeType: AttributeType { .boolean }

    /// Reads a value out of its column.
    @inlinable @inline(__always)
    public init(stored: Bool, isValid: Bool) { self = stored }

    /// The value as its column holds it.
    @inlinable @inline(__always)
    public var stored: Bool? { self }

    /// The value without its type.
    public var datum: Datum { .boolean(self) }
}

extension Int {
    /// The column that holds the values.
    public typealias Stored = Int64
    /// `.int64`.
    public static var attributeType: AttributeType { .int64 }

    /// Reads a value out of its column.
    @inlinable @inline(__always)
    public init(stored: Int64, isValid: Bool) { self = Int(truncatingIfNeeded: stored) }

    /// The value as its column holds it.
    @inlinable @inline(__always)
    public var stored: Int64? { Int64(self) }

    /// The value without its type.
    public var datum: Datum { .integer(Int64(self)) }
}

extension Int64 {
    /// The column that holds the values.
    public typealias Stored = Int64
    /// `.int64`.
    public static var attributeType: AttributeType { .int64 }

    /// Reads a value out of its column.
    @inlinable @inline(__always)
    public init(stored: Int64, isValid: Bool) { self = stored }

    /// The value as its column holds it.
    @inlinable @inline(__always)
    public var stored: Int64? { self }

    /// The value without its type.
    public var datum: Datum { .integer(self) }
}

extension Int8 {
    /// The column that holds the values.
    public typealias Stored = Int64
    /// `.int8`.
    public static var attributeType: AttributeType { .int8 }

    /// Reads a value out of its column.
    @inlinable @inline(__always)
    public init(stored: Int64, isValid: Bool) { self = Int8(truncatingIfNeeded: stored) }

    /// The value as its column holds it.
    @inlinable @inline(__always)
    public var stored: Int64? { Int64(self) }

    /// The value without its type.
    public var datum: Datum { .integer(Int64(self)) }
}

extension Int16 {
    /// The column that holds the values.
    public typealias Stored = Int64
    /// `.int16`.
    public static var attributeType: AttributeType { .int16 }

    /// Reads a value out of its column.
    @inlinable @inline(__always)
    public init(stored: Int64, isValid: Bool) { self = Int16(truncatingIfNeeded: stored) }

    /// The value as its column holds it.
    @inlinable @inline(__always)
    public var stored: Int64? { Int64(self) }

    /// The value without its type.
    public var datum: Datum { .integer(Int64(self)) }
}

extension Int32 {
    /// The column that holds the values.
    public typealias Stored = Int64
    /// `.int32`.
    public static var attributeType: AttributeType { .int32 }

    /// Reads a value out of its column.
    @inlinable @inline(__always)
    public init(stored: Int64, isValid: Bool) { self = Int32(truncatingIfNeeded: stored) }

    /// The value as its column holds it.
    @inlinable @inline(__always)
    public var stored: Int64? { Int64(self) }

    /// The value without its type.
    public var datum: Datum { .integer(Int64(self)) }
}

extension UInt8 {
    /// The column that holds the values.
    public typealias Stored = Int64
    /// `.uint8`.
    public static var attributeType: AttributeType { .uint8 }

    /// Reads a value out of its column.
    @inlinable @inline(__always)
    public init(stored: Int64, isValid: Bool) { self = UInt8(truncatingIfNeeded: stored) }

    /// The value as its column holds it.
    @inlinable @inline(__always)
    public var stored: Int64? { Int64(self) }

    /// The value without its type.
    public var datum: Datum { .integer(Int64(self)) }
}

extension UInt16 {
    /// The column that holds the values.
    public typealias Stored = Int64
    /// `.uint16`.
    public static var attributeType: AttributeType { .uint16 }

    /// Reads a value out of its column.
    @inlinable @inline(__always)
    public init(stored: Int64, isValid: Bool) { self = UInt16(truncatingIfNeeded: stored) }

    /// The value as its column holds it.
    @inlinable @inline(__always)
    public var stored: Int64? { Int64(self) }

    /// The value without its type.
    public var datum: Datum { .integer(Int64(self)) }
}

extension UInt32 {
    /// The column that holds the values.
    public typealias Stored = Int64
    /// `.uint32`.
    public static var attributeType: AttributeType { .uint32 }

    /// Reads a value out of its column.
    @inlinable @inline(__always)
    public init(stored: Int64, isValid: Bool) { self = UInt32(truncatingIfNeeded: stored) }

    /// The value as its column holds it.
    @inlinable @inline(__always)
    public var stored: Int64? { Int64(self) }

    /// The value without its type.
    public var datum: Datum { .integer(Int64(self)) }
}

extension Float {
    /// The column that holds the values.
    public typealias Stored = Double
    /// `.float`.
    public static var attributeType: AttributeType { .float }

    /// Reads a value out of its column.
    @inlinable @inline(__always)
    public init(stored: Double, isValid: Bool) { self = Float(stored) }

    /// The value as its column holds it.
    @inlinable @inline(__always)
    public var stored: Double? { Double(self) }

    /// The value without its type.
    public var datum: Datum { .double(Double(self)) }
}

extension Double {
    /// The column that holds the values.
    public typealias Stored = Double
    /// `.double`.
    public static var attributeType: AttributeType { .double }

    /// Reads a value out of its column.
    @inlinable @inline(__always)
    public init(stored: Double, isValid: Bool) { self = stored }

    /// The value as its column holds it.
    @inlinable @inline(__always)
    public var stored: Double? { self }

    /// The value without its type.
    public var datum: Datum { .double(self) }
}

extension String {
    /// The column that holds the values.
    public typealias Stored = String
    /// `.string`.
    public static var attributeType: AttributeType { .string }

    /// Reads a value out of its column.
    @inlinable @inline(__always)
    public init(stored: String, isValid: Bool) { self = stored }

    /// The value as its column holds it.
    @inlinable @inline(__always)
    public var stored: String? { self }

    /// The value without its type.
    public var datum: Datum { .string(self) }
}

extension Date {
    /// The column that holds the values.
    public typealias Stored = Double
    /// `.date`.
    public static var attributeType: AttributeType { .date }

    /// Reads a value out of its column.
    @inlinable @inline(__always)
    public init(stored: Double, isValid: Bool) {
        self = Date(timeIntervalSinceReferenceDate: stored)
    }

    /// The value as its column holds it.
    @inlinable @inline(__always)
    public var stored: Double? { timeIntervalSinceReferenceDate }

    /// The value without its type.
    public var datum: Datum { .date(self) }
}

extension UUID {
    /// The column that holds the values.
    public typealias Stored = UUID
    /// `.uuid`.
    public static var attributeType: AttributeType { .uuid }

    /// Reads a value out of its column.
    @inlinable @inline(__always)
    public init(stored: UUID, isValid: Bool) { self = stored }

    /// The value as its column holds it.
    @inlinable @inline(__always)
    public var stored: UUID? { self }

    /// The value without its type.
    public var datum: Datum { .uuid(self) }
}

extension Data {
    /// The column that holds the values.
    public typealias Stored = Data
    /// `.data`.
    public static var attributeType: AttributeType { .data }

    /// Reads a value out of its column.
    @inlinable @inline(__always)
    public init(stored: Data, isValid: Bool) { self = stored }

    /// The value as its column holds it.
    @inlinable @inline(__always)
    public var stored: Data? { self }

    /// The value without its type.
    public var datum: Datum { .data(self) }
}

extension URL {
    /// The column that holds the absolute strings.
    public typealias Stored = String
    /// `.url`.
    public static var attributeType: AttributeType { .url }

    /// Reads an address; one that was never given reads as the root of the file system.
    @inlinable
    public init(stored: String, isValid: Bool) {
        self = URL(string: stored) ?? URL(filePath: stored.isEmpty ? "/" : stored)
    }

    /// The absolute string.
    @inlinable
    public var stored: String? { absoluteString }

    /// The absolute string, without its type.
    public var datum: Datum { .string(absoluteString) }
}
