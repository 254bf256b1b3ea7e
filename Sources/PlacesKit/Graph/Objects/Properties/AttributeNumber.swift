public import Foundation

/// A type of attribute that can be summed: a number, or an optional number.
///
/// Do not conform types of your own: only the types that conform already can be summed.
public protocol AttributeNumber: AttributeValue {
    /// The type of a sum: `Int` for integers, `Double` for floating-point numbers, else `Decimal`.
    associatedtype Sum: AttributeValue = Self
    /// The type of an average: `Double`, optional if the number is.
    associatedtype Average: AttributeValue = Double
}

extension AttributeNumber where Self: FixedWidthInteger {
    /// An integer; if it cannot hold a sum, the sum is the nearest integer.
    public typealias Sum = Int
}

extension AttributeNumber where Self: BinaryFloatingPoint {
    /// A floating-point number; a sum is exact and rounded once.
    public typealias Sum = Double
}

extension Int: AttributeNumber {}
extension Int8: AttributeNumber {}
extension Int16: AttributeNumber {}
extension Int32: AttributeNumber {}
extension Int64: AttributeNumber {}
extension UInt: AttributeNumber {}
extension UInt8: AttributeNumber {}
extension UInt16: AttributeNumber {}
extension UInt32: AttributeNumber {}
extension UInt64: AttributeNumber {}
extension Float: AttributeNumber {}
extension Double: AttributeNumber {}

extension Decimal: AttributeNumber {}

extension Optional: AttributeNumber where Wrapped: AttributeNumber {
    /// The sum of the objects that have a value; zero if none has.
    public typealias Sum = Wrapped.Sum
    /// The average of the objects that have a value; `nil` if none has.
    public typealias Average = Double?
}

extension AttributeValue {
    /// The value of a datum; where that is of another kind, what the type has for no value.
    init(_ datum: Datum) {
        let stored = datum.element(of: Stored.self)
        self.init(stored: stored ?? .unset, isValid: stored != nil)
    }
}
