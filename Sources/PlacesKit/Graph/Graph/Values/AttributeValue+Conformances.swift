public import Foundation

@_documentation(visibility: internal)
extension AttributeValue where Self: ColumnElement {
    /// The value itself.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public init(stored: Self) { self = stored }

    /// The value itself.
    @inlinable @inline(__always)
    public var stored: Self { self }
}

@_documentation(visibility: internal)
extension AttributeValue where Self: FixedWidthInteger {
    /// Makes the integer from a wider one that it has room for.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public init(stored: Int64) { self.init(truncatingIfNeeded: stored) }

    /// The integer, widened.
    @inlinable @inline(__always)
    public var stored: Int64 { Int64(self) }
}

// A column of its own and an integer: both of the above, so that it has to say which.
@_documentation(visibility: internal)
extension Int64 {
    /// The value itself.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public init(stored: Int64) { self = stored }

    /// The value itself.
    @inlinable @inline(__always)
    public var stored: Int64 { self }
}

// The same, for a column of these holds the rows of other objects.
@_documentation(visibility: internal)
extension Int32 {
    /// An integer of 64 bits.
    public typealias Stored = Int64
}

@_documentation(visibility: internal)
extension UInt {
    /// Makes the unsigned integer from the signed one that represents it.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public init(stored: Int64) { self.init(truncatingIfNeeded: UInt64(ordered: stored)) }

    /// A signed integer that represents the value; both have the same order.
    @inlinable @inline(__always)
    public var stored: Int64 { UInt64(self).ordered }
}

@_documentation(visibility: internal)
extension UInt64 {
    /// Makes the unsigned integer from the signed one that represents it.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public init(stored: Int64) { self.init(ordered: stored) }

    /// A signed integer that represents the value; both have the same order.
    @inlinable @inline(__always)
    public var stored: Int64 { ordered }
}

@_documentation(visibility: internal)
extension Float {
    /// Makes the nearest number.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public init(stored: Double) { self.init(stored) }

    /// The number, widened.
    @inlinable @inline(__always)
    public var stored: Double { Double(self) }
}

@_documentation(visibility: internal)
extension Date {
    /// Makes the date from the seconds since the first of January 2001.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public init(stored: Double) { self.init(timeIntervalSinceReferenceDate: stored) }

    /// The seconds since the first of January 2001.
    @inlinable @inline(__always)
    public var stored: Double { timeIntervalSinceReferenceDate }
}

@_documentation(visibility: internal)
extension URL {
    /// Makes the URL from an absolute string; from an empty one, the root of the file system.
    @_disfavoredOverload
    @inlinable
    public init(stored: String) {
        self = URL(string: stored) ?? URL(filePath: stored.isEmpty ? "/" : stored)
    }

    /// The absolute string.
    @inlinable
    public var stored: String { absoluteString }
}
