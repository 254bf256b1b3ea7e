/// An optional, whatever it wraps.
protocol OptionalValue {
    static var wrappedType: Any.Type { get }
    var wrappedValue: Any? { get }
    var isNone: Bool { get }
}

extension Optional: OptionalValue {
    static var wrappedType: Any.Type { Wrapped.self }
    var wrappedValue: Any? { self }
    var isNone: Bool { self == nil }
}

/// The type of what an optional wraps, or the type itself where it is no optional.
func unwrapped(_ type: Any.Type) -> Any.Type {
    (type as? any OptionalValue.Type)?.wrappedType ?? type
}

/// Whether a value of any type is an optional that holds nothing.
func isNil(_ value: Any) -> Bool { (value as? any OptionalValue)?.isNone ?? false }
