extension PropertyRecorder {
    /// What is wrong with the type of an attribute, which anybody may write.
    func problem<Value: AttributeValue>(
        of type: Value.Type, _ attribute: AttributeDescription
    ) -> String? {
        guard Value.columnKind != nil else {
            return """
                is of the type \(type), whose Stored is \(Value.Stored.self), which no column holds. Let \
                Stored be Bool, Int64, Double, Decimal, String, UUID or Data.
                """
        }
        if let values = attribute.allowedValues, values.isEmpty {
            return "is of the type \(type), which has no values. Let allCases list them."
        }
        let value = unwrapped(type)
        if let raw = value as? any (AttributeValue & RawRepresentable).Type, raw.losesNilRawValue {
            return """
                is of the type \(raw), whose raw value may be nil, which is stored as no value is. Let the raw \
                value not be optional, and the attribute be.
                """
        }
        return nil
    }
}

extension AttributeValue where Self: RawRepresentable {
    /// Whether the value whose raw value is `nil` is read as another, or as none.
    fileprivate static var losesNilRawValue: Bool {
        func make<Raw: ExpressibleByNilLiteral>(_ type: Raw.Type) -> Self? {
            (Raw(nilLiteral: ()) as? RawValue).flatMap { Self(rawValue: $0) }
        }
        guard let type = RawValue.self as? any ExpressibleByNilLiteral.Type,
            let value = make(type)
        else { return false }
        return Self(stored: value.stored) != value
    }
}
