import Foundation

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
    /// Whether two are equal values of the type; `Codable` ones may be written differently then.
    let areEqual: @Sendable (Datum, Datum) -> Bool

    /// The check of a type, unless its columns hold nothing but its values.
    init?<Value: AttributeValue>(of type: Value.Type) {
        guard type.isChecked else { return nil }
        typeName = String(describing: type)
        valueType = unwrapped(type)
        accepts = { type.value(of: $0) != nil }
        // Asked once: what it is may have to be looked up.
        let attributeType = type.attributeType
        canonical = { type.value(of: $0)?.datum(as: attributeType) }
        areEqual = { left, right in
            guard let left = type.value(of: left) else { return false }
            return left == type.value(of: right)
        }
    }

    private init(
        _ typeName: String, _ valueType: Any.Type, canonical: @escaping @Sendable (Datum) -> Datum?
    ) {
        (self.typeName, self.valueType, self.canonical) = (typeName, valueType, canonical)
        accepts = { canonical($0) != nil }
        areEqual = { $0 == $1 }
    }

    /// The check of a text that others wrote, which may be no URL or spell it otherwise than `URL` does, before
    /// another check.
    static func url(before check: ValueCheck?) -> ValueCheck {
        ValueCheck(check?.typeName ?? "URL", check?.valueType ?? URL.self) { value in
            guard case .string(let text) = value, let url = URL(string: text) else { return nil }
            let canonical = Datum.string(url.absoluteString)
            guard let check else { return canonical }
            return check.canonical(canonical)
        }
    }
}
