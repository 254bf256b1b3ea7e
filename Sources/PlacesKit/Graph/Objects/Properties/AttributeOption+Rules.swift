extension AttributeOption {
    /// Limits the number of characters of saved text, or of bytes of saved data: `.length(1...80)`.
    public static func length(_ bounds: some RangeExpression<Int>) -> AttributeOption {
        let (lower, upper, excludesUpper) = bounds.ends ?? (nil, nil, false)
        // No length is less than zero, so neither is what an open end leaves.
        let maximum = upper.map { excludesUpper ? max($0, 0) - 1 : $0 }
        return AttributeOption(kind: .rule(.length(minimum: lower, maximum: maximum)))
    }

    /// Limits saved values to a range: `.range(0...5)`, `.range(0..<1.5)`, `.range(1...)`.
    ///
    /// The bounds have the attribute's type, or are literals of other numbers. Values of a type of one's own are compared
    /// by its `<`.
    public static func range<Bound: AttributeValue & Comparable>(
        _ bounds: some RangeExpression<Bound>
    ) -> AttributeOption {
        let (lower, upper, excludesUpper) = bounds.ends ?? (nil, nil, false)
        return AttributeOption(
            kind: .rule(
                .range(
                    minimum: lower?.datum, maximum: upper?.datum, excludesMaximum: excludesUpper),
                order: OwnOrder(of: Bound.self)))
    }

    /// Requires all of a saved text to match a regular expression: `.matches("[A-Z]{2}")`.
    ///
    /// The syntax is that of `Regex(_:)`. The pattern is text because a `Regex` is not `Sendable`
    /// and cannot describe itself. Matching has no limit of steps: a pattern with a repetition
    /// inside a repetition can keep a save busy for very long.
    public static func matches(_ pattern: String) -> AttributeOption {
        AttributeOption(kind: .rule(.pattern(pattern)))
    }
}
