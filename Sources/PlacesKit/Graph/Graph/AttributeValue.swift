public import Foundation

/// A type that an attribute can have.
///
/// Numbers, `Decimal`, `Bool`, `String`, `Date`, `UUID`, `URL`, `Data`, and arrays, sets and
/// dictionaries of them conform already, and so do the optionals of all. A type of raw
/// values joins them with one word; any other `Codable` type is a ``CodableAttribute``.
///
/// ```swift
/// enum Mood: String, CaseIterable, AttributeValue { case calm, wild }
/// struct Flags: OptionSet, AttributeValue { let rawValue: Int }
/// ```
///
/// - An enum should be `CaseIterable`: predicates over it are compiled then, and a file is refused
///   with the list of what is allowed. `#Predicate` asks for `Codable` too; see <doc:Predicates>.
/// - Where raw values are not those of every case, such as in an enum that is not `CaseIterable`, an
///   attribute that is not optional needs a default.
public protocol AttributeValue: Equatable, Sendable {
    /// The type of the column that holds the values.
    associatedtype Stored: ColumnElement

    /// The type as the schema names it.
    static var attributeType: AttributeType { get }
    /// Whether the type has room for `nil`.
    static var isOptional: Bool { get }
    /// The only values there are, for enums; `nil` where there are too many to list.
    static var allowedValues: [Datum]? { get }

    /// Whether a column may hold what is no value of the type, so that files must be checked.
    static var isChecked: Bool { get }

    /// Reads a value out of its column.
    init(stored: Stored, isValid: Bool)
    /// Reads a value out of its column; `nil` where the column holds what is no value of the type.
    init?(checking stored: Stored)
    /// The value as its column holds it, or `nil` for no value; values are equal exactly if these are.
    var stored: Stored? { get }
    /// The value without its type.
    var datum: Datum { get }
}

extension AttributeValue {
    /// `false`: only optionals have room for `nil`.
    @inlinable public static var isOptional: Bool { false }
    /// `nil`: there are too many values to list.
    public static var allowedValues: [Datum]? { nil }
    /// `false`: all that a column holds is a value of the type.
    public static var isChecked: Bool { false }

    /// Reads a value out of its column.
    @inlinable @inline(__always)
    public init?(checking stored: Stored) { self.init(stored: stored, isValid: true) }
}

// A conformance that is found by a cast is declared beside its protocol: a program that is linked from a
// static archive gets only the object files that something in it names, and the cast names this one.

extension Bool: AttributeValue {}
extension Int: AttributeValue {}
extension Int64: AttributeValue {}
extension Int8: AttributeValue {}
extension Int16: AttributeValue {}
extension Int32: AttributeValue {}
extension UInt8: AttributeValue {}
extension UInt16: AttributeValue {}
extension UInt32: AttributeValue {}
extension Float: AttributeValue {}
extension Double: AttributeValue {}
extension String: AttributeValue {}
extension Date: AttributeValue {}
extension UUID: AttributeValue {}
extension Data: AttributeValue {}
extension URL: AttributeValue {}
extension UInt: AttributeValue {}
extension UInt64: AttributeValue {}
extension Decimal: AttributeValue {}

// NB: A conformance cannot depend on `Sendable`, so the elements are attribute values themselves, which
// are sendable.

extension Array: AttributeValue where Element: AttributeValue & Codable {}
extension Set: AttributeValue where Element: AttributeValue & Codable {}
extension Dictionary: AttributeValue
where Key: AttributeValue & Codable, Value: AttributeValue & Codable {}

extension Optional: AttributeValue where Wrapped: AttributeValue {
    /// What the wrapped type is stored as.
    public typealias Stored = Wrapped.Stored
    /// The wrapped type.
    public static var attributeType: AttributeType { Wrapped.attributeType }
    /// `true`.
    @inlinable public static var isOptional: Bool { true }
    /// The wrapped type's values; `nil` is allowed besides.
    public static var allowedValues: [Datum]? { Wrapped.allowedValues }
    /// Whether that is so for the wrapped type.
    public static var isChecked: Bool { Wrapped.isChecked }

    /// Reads a value, or `nil` where the column holds none.
    @inlinable @inline(__always)
    public init(stored: Wrapped.Stored, isValid: Bool) {
        self = isValid ? Wrapped(checking: stored) : nil
    }

    /// Reads a value of the wrapped type.
    @inlinable @inline(__always)
    public init?(checking stored: Wrapped.Stored) {
        guard let value = Wrapped(checking: stored) else { return nil }
        self = value
    }

    /// The wrapped value as its column holds it.
    @inlinable @inline(__always)
    public var stored: Wrapped.Stored? { self?.stored }

    /// The wrapped value without its type.
    public var datum: Datum { self?.datum ?? .null }
}
