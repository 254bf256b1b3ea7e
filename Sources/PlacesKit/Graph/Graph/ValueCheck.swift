/// Checks whether what a file holds, or is to hold, is a value of an attribute's type.
struct ValueCheck: Sendable {
    /// The type, for an error's text.
    let typeName: String
    /// The type, or what it is an optional of.
    let valueType: Any.Type
    /// Whether the type has the value.
    let accepts: @Sendable (Datum) -> Bool
    /// The value as the column is to hold it, or `nil` where the type has no such value.
    let canonical: @Sendable (Datum) -> Datum?

    /// The check of a type, unless its columns hold nothing but its values.
    init?<Value: AttributeValue>(of type: Value.Type) {
        guard type.isChecked else { return nil }
        typeName = String(describing: type)
        valueType = (type as? any OptionalValue.Type)?.wrappedType ?? type
        @Sendable func value(of datum: Datum) -> Value? {
            datum.element(of: Value.Stored.self).flatMap { Value(stored: $0) }
        }
        accepts = { value(of: $0) != nil }
        canonical = { value(of: $0)?.datum }
    }
}
