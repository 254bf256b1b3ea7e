extension PropertyRecorder {
    /// What is wrong with the type of an attribute: anybody may write one, and columns are read as what
    /// it says.
    func problem<Value: AttributeValue>(
        of type: Value.Type, _ attribute: AttributeDescription
    ) -> String? {
        guard let kind = Value.columnKind, kind != .reference else {
            return """
                is of the type \(type), whose Stored is \(Value.Stored.self), which no column holds. Let \
                Stored be Bool, Int64, Double, Decimal, String, UUID or Data.
                """
        }
        guard attribute.type.columnKind == kind else {
            return """
                is of the type \(type), which is stored as \(Value.Stored.self) and whose attributeType is \
                \(attribute.type.rawValue), which is not. Let the two go together.
                """
        }
        if let values = attribute.allowedValues,
            values.isEmpty || !values.allSatisfy({ $0.columnKind == kind })
        {
            return """
                is of the type \(type), whose allowedValues are none, or not of its attributeType, \
                \(attribute.type.rawValue). List its values as they are stored.
                """
        }
        if let value = attribute.defaultValue, value != .null, value.columnKind != kind {
            return """
                has a default of the type \(type), whose datum is \(value), which is not of its \
                attributeType, \(attribute.type.rawValue). Let the two go together.
                """
        }
        return nil
    }
}
