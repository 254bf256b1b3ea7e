extension Condition {
    /// Whether every word of a text occurs in at least one of some operands.
    static func searching(
        _ operands: [Operand], for text: String, matching: WordMatching
    ) -> Condition {
        let operation: TextOperator = matching == .wholeWords ? .words : .wordPrefixes
        let terms = WordPattern(text, matching: matching).terms
        if terms.isEmpty { return .constant(true) }
        if operands.count == 1 { return .testing(operands[0], TextTest(operation, text)) }
        return .every(
            terms.map { term in
                .some(operands.map { .testing($0, TextTest(operation, term)) })
            })
    }
}
