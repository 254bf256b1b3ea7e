/// Checks whether what a file holds is a value of an attribute's type.
struct ValueCheck: Sendable {
    /// The type, for an error's text.
    let typeName: String
    /// The value as the column is to hold it, or `nil` where the type has no such value.
    let canonical: @Sendable (Datum) -> Datum?

    /// The check of a type, unless its columns hold nothing but its values.
    init?<Value: AttributeValue>(of type: Value.Type) {
        guard type.isChecked else { return nil }
        typeName = String(describing: type)
        canonical = { datum in
            datum.element(of: Value.Stored.self).flatMap { Value(stored: $0) }?.datum
        }
    }
}
