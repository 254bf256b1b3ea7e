public import Foundation

extension UInt {
    /// The column that holds the values, in their order.
    public typealias Stored = Int64
    /// `.uint64`.
    public static var attributeType: AttributeType { .uint64 }

    /// Reads a value out of its column.
    @inlinable @inline(__always)
    public init(stored: Int64, isValid: Bool) {
        self = UInt(truncatingIfNeeded: UInt64(ordered: stored))
    }

    /// The value as its column holds it.
    @inlinable @inline(__always)
    public var stored: Int64? { UInt64(self).ordered }

    /// The value without its type.
    public var datum: Datum { .unsigned(UInt64(self)) }
}

extension UInt64 {
    /// The column that holds the values, in their order.
    public typealias Stored = Int64
    /// `.uint64`.
    public static var attributeType: AttributeType { .uint64 }

    /// Reads a value out of its column.
    @inlinable @inline(__always)
    public init(stored: Int64, isValid: Bool) { self.init(ordered: stored) }

    /// The value as its column holds it.
    @inlinable @inline(__always)
    public var stored: Int64? { ordered }

    /// The value without its type.
    public var datum: Datum { .unsigned(self) }
}

extension Decimal {
    /// The column that holds the values.
    public typealias Stored = Decimal
    /// `.decimal`.
    public static var attributeType: AttributeType { .decimal }

    /// Reads a value out of its column.
    @inlinable @inline(__always)
    public init(stored: Decimal, isValid: Bool) { self = stored }

    /// The value as its column holds it.
    @inlinable @inline(__always)
    public var stored: Decimal? { self }

    /// The value without its type.
    public var datum: Datum { .decimal(self) }
}
