public import Foundation

/// A type of attributes that can be summed up: all numbers, and their optionals.
///
/// The set is closed on purpose: what conforms besides has no sums.
public protocol AttributeNumber: AttributeValue {
    /// What sums are: `Int` for integers, `Double` for floating-point numbers, `Decimal` for decimals.
    associatedtype Sum: AttributeValue = Self
    /// What averages are: `Double`, optional where the number is.
    associatedtype Average: AttributeValue = Double
}

extension AttributeNumber where Self: FixedWidthInteger {
    /// An integer; a sum that it cannot hold is the nearest number that it can.
    public typealias Sum = Int
}

extension AttributeNumber where Self: BinaryFloatingPoint {
    /// A floating-point number: the exact sum, rounded once.
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
    /// The sum of those that have a value; zero where none has.
    public typealias Sum = Wrapped.Sum
    /// The average of those that have a value; `nil` where none has.
    public typealias Average = Double?
}

extension AttributeValue {
    /// The value of a datum; where that is of another kind, what the type has for no value.
    init(_ datum: Datum) {
        let stored = datum.element(of: Stored.self)
        self.init(stored: stored ?? .unset, isValid: stored != nil)
    }
}
