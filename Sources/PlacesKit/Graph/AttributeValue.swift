/// A type that an attribute can have.
///
/// Numbers, `Bool`, `String`, `Date`, `UUID`, `URL`, `Data` and their optionals conform already. An
/// enum of raw values joins them with one word:
///
/// ```swift
/// enum Mood: String, CaseIterable, AttributeValue { case calm, wild }
/// ```
public protocol AttributeValue: Equatable, Sendable {
    /// The type of the column that holds the values.
    associatedtype Stored: ColumnElement

    /// The type as the schema names it.
    static var attributeType: AttributeType { get }
    /// Whether the type has room for `nil`.
    static var isOptional: Bool { get }
    /// The only values there are, for enums; `nil` where there are too many to list.
    static var allowedValues: [Datum]? { get }

    /// Reads a value out of its column.
    init(stored: Stored, isValid: Bool)
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
}

extension Optional: AttributeValue where Wrapped: AttributeValue {
    /// What the wrapped type is stored as.
    public typealias Stored = Wrapped.Stored
    /// The wrapped type.
    public static var attributeType: AttributeType { Wrapped.attributeType }
    /// `true`.
    @inlinable public static var isOptional: Bool { true }
    /// The wrapped type's values; `nil` is allowed besides.
    public static var allowedValues: [Datum]? { Wrapped.allowedValues }

    /// Reads a value, or `nil` where the column holds none.
    @inlinable @inline(__always)
    public init(stored: Wrapped.Stored, isValid: Bool) {
        self = isValid ? Wrapped(stored: stored, isValid: true) : nil
    }

    /// The wrapped value as its column holds it.
    @inlinable @inline(__always)
    public var stored: Wrapped.Stored? { self?.stored }

    /// The wrapped value without its type.
    public var datum: Datum { self?.datum ?? .null }
}

extension AttributeValue where Self: RawRepresentable & CaseIterable, RawValue: AttributeValue {
    /// The raw value's type.
    public static var attributeType: AttributeType { RawValue.attributeType }
    /// The raw values of all cases.
    public static var allowedValues: [Datum]? { allCases.map(\.rawValue.datum) }

    /// Reads the case of a raw value.
    ///
    /// A document with a raw value that has no case is refused when it is opened, so only an
    /// attribute that was never given a value reads as something else: the first case.
    @inlinable
    public init(stored: RawValue.Stored, isValid: Bool) {
        guard let value = Self(rawValue: RawValue(stored: stored, isValid: isValid)) else {
            self = Self.allCases[Self.allCases.startIndex]
            return
        }
        self = value
    }

    /// The raw value as its column holds it.
    @inlinable
    public var stored: RawValue.Stored? { rawValue.stored }

    /// The raw value without its type.
    public var datum: Datum { rawValue.datum }
}
