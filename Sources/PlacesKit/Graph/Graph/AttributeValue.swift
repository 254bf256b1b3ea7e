public import Foundation

/// A type that an attribute can have.
///
/// Numbers, `Decimal`, `Bool`, `String`, `Date`, `UUID`, `URL`, `Data`, and arrays, sets and
/// dictionaries of them conform already, and so do the optionals of all. A type of raw
/// values joins them with one word; any other `Codable` type is a ``CodableAttribute``; and what is
/// stored as something else says how:
///
/// ```swift
/// enum Mood: String, CaseIterable, AttributeValue { case calm, wild }
/// struct Flags: OptionSet, AttributeValue { let rawValue: Int }
///
/// struct Heading: AttributeValue {
///     var degrees = 0.0
///     init?(stored: Double) {
///         guard (0..<360).contains(stored) else { return nil }
///         degrees = stored
///     }
///     var stored: Double { degrees }
/// }
/// ```
///
/// - An enum should be `CaseIterable`: predicates over it are compiled then, and a file is refused
///   with the list of what is allowed. `#Predicate` asks for `Codable` too; see <doc:Predicates>.
/// - Where not all that could be stored is a value, such as in an enum that is not `CaseIterable`, an
///   attribute that is not optional needs a default.
public protocol AttributeValue: Equatable, Sendable {
    /// What values are stored as: `Bool`, `Int64`, `Double`, `Decimal`, `String`, `UUID` or `Data`.
    associatedtype Stored: ColumnElement

    /// Makes the value that is stored like this; `nil` where there is none.
    init?(stored: Stored)
    /// What the value is stored as; values are equal exactly if these are.
    var stored: Stored { get }

    // What only optionals do in another way.

    /// Whether the type has room for `nil`.
    @_documentation(visibility: internal)
    static var isOptional: Bool { get }
    /// Reads a value out of its column.
    @_documentation(visibility: internal)
    init(stored: Stored, isValid: Bool)
    /// What the value is stored as; `nil` for no value.
    @_documentation(visibility: internal)
    var storedIfAny: Stored? { get }
}

@_documentation(visibility: internal)
extension AttributeValue {
    /// `false`: only optionals have room for `nil`.
    @inlinable public static var isOptional: Bool { false }

    /// Reads a value out of its column.
    ///
    /// A file with a column that holds no value is refused, so only an attribute that was never given
    /// one reads as something else: a default of the type.
    @inlinable @inline(__always)
    public init(stored: Stored, isValid: Bool) { self = Self(stored: stored) ?? Self.fallback }

    /// What the value is stored as.
    @inlinable @inline(__always)
    public var storedIfAny: Stored? { stored }
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

@_documentation(visibility: internal)
extension Optional: AttributeValue where Wrapped: AttributeValue {
    /// Makes a value of the wrapped type.
    @inlinable @inline(__always)
    public init?(stored: Wrapped.Stored) {
        guard let value = Wrapped(stored: stored) else { return nil }
        self = value
    }

    /// What the wrapped value is stored as; something blank for no value.
    @inlinable @inline(__always)
    public var stored: Wrapped.Stored { self?.stored ?? .unset }

    /// `true`.
    @inlinable public static var isOptional: Bool { true }

    /// Reads a value, or `nil` where the column holds none.
    @inlinable @inline(__always)
    public init(stored: Wrapped.Stored, isValid: Bool) {
        self = isValid ? Wrapped(stored: stored) : nil
    }

    /// What the wrapped value is stored as.
    @inlinable @inline(__always)
    public var storedIfAny: Wrapped.Stored? { self?.storedIfAny }
}
