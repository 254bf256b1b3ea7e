public import Foundation

/// A type that an attribute can have.
///
/// Numbers, `Decimal`, `Bool`, `String`, `Date`, `UUID`, `URL`, `Data`, and arrays, sets and
/// dictionaries of them already conform, and so do the optionals of all these. A type with raw
/// values only declares the conformance. Any other `Codable` type conforms to ``CodableAttribute``.
/// A type that is stored in another way implements this protocol:
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
/// - An enum should be `CaseIterable`. Predicates that order it, or reach it along relationships, are
///   then compiled, and the error about a damaged file lists the allowed values. `#Predicate` also
///   needs `Codable`; see <doc:Predicates>.
/// - PlacesKit asks `init(stored:)` about values of its own, to tell an attribute from what is computed
///   from it. Where it finds no two values of the type, only a key path that ends at the class itself and
///   can write the attribute means it. It asks `init(rawValue:)` too, to tell a type that is stored as its raw
///   values are from one with a `stored` of its own.
/// - If not every stored value is a value of the type, as in an enum that is not `CaseIterable`, an
///   attribute that is not optional needs a default.
/// - A save refuses a value that the type does not make of its stored form, as a `Heading` of 400 degrees
///   that some other initialiser lets through: no document could be opened with it.
public protocol AttributeValue: Equatable, Sendable {
    /// The stored type: `Bool`, `Int64`, `Double`, `Decimal`, `String`, `UUID` or `Data`.
    associatedtype Stored: ColumnElement

    // NB: `numbers.map(UInt.init)` may mean any initialiser of one argument. Those that types of the standard library
    // have for this protocol are disfavoured, so that the call means what it means without the library.

    /// Makes the value from a stored one; `nil` if the type has no such value.
    init?(stored: Stored)
    /// The stored value; two values are equal exactly if their stored values are.
    var stored: Stored { get }

    // What only optionals, or what is kept as JSON, do in another way.

    /// Whether the type can be `nil`.
    @_documentation(visibility: internal)
    static var isOptional: Bool { get }
    /// Whether equal values may be stored differently, as JSON.
    @_documentation(visibility: internal)
    static var isKeptAsJSON: Bool { get }
    /// Reads a value from its column.
    @_documentation(visibility: internal)
    init(stored: Stored, isValid: Bool)
    /// The stored value; `nil` for no value.
    @_documentation(visibility: internal)
    var storedIfAny: Stored? { get }
}

@_documentation(visibility: internal)
extension AttributeValue {
    /// `false`: only optionals can be `nil`.
    @inlinable public static var isOptional: Bool { false }

    /// `false`: what is kept as JSON says so.
    @inlinable public static var isKeptAsJSON: Bool { false }

    /// Reads a value from its column.
    ///
    /// Opening a document refuses a column that holds no valid value. So only an attribute that was
    /// never given a value reads as something else: a default of the type.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public init(stored: Stored, isValid: Bool) { self = Self(stored: stored) ?? Self.fallback }

    /// The stored value.
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
    @_disfavoredOverload
    @inlinable @inline(__always)
    public init?(stored: Wrapped.Stored) {
        guard let value = Wrapped(stored: stored) else { return nil }
        self = value
    }

    /// The stored form of the wrapped value; a blank one for `nil`.
    @inlinable @inline(__always)
    public var stored: Wrapped.Stored { self?.stored ?? .unset }

    /// `true`.
    @inlinable public static var isOptional: Bool { true }

    /// As the wrapped type.
    @inlinable public static var isKeptAsJSON: Bool { Wrapped.isKeptAsJSON }

    /// Reads a value, or `nil` if the column holds none.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public init(stored: Wrapped.Stored, isValid: Bool) {
        self = isValid ? Wrapped(stored: stored) : nil
    }

    /// The stored form of the wrapped value; `nil` for `nil`.
    @inlinable @inline(__always)
    public var storedIfAny: Wrapped.Stored? { self?.storedIfAny }
}
