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
        return nil
    }
}
