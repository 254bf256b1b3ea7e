extension AttributeOption {
    /// Text has so many characters, or data so many bytes, when it is saved: `.length(1...80)`.
    public static func length(_ bounds: some RangeExpression<Int>) -> AttributeOption {
        let (lower, upper, excludesUpper) = ends(of: bounds)
        // No length is less than zero, so neither is what an open end leaves.
        let maximum = upper.map { excludesUpper ? max($0, 0) - 1 : $0 }
        return AttributeOption(kind: .rule(.length(minimum: lower, maximum: maximum)))
    }

    /// The value lies in a range when it is saved: `.range(0...5)`, `.range(0..<1.5)`, `.range(1...)`.
    ///
    /// The bounds are of the attribute's type, or literals of other numbers.
    public static func range<Bound: AttributeValue & Comparable>(
        _ bounds: some RangeExpression<Bound>
    ) -> AttributeOption {
        let (lower, upper, excludesUpper) = ends(of: bounds)
        return AttributeOption(
            kind: .rule(
                .range(
                    minimum: lower?.datum, maximum: upper?.datum, excludesMaximum: excludesUpper)))
    }

    /// The whole text matches a regular expression when it is saved: `.matches("[A-Z]{2}")`.
    ///
    /// The syntax is that of `Regex(_:)`. It is text, for a `Regex` is not `Sendable` and cannot say
    /// what it demands. A `Regex` goes back and forth without a limit: a pattern that lets one repetition lie
    /// in another may keep a save busy for very long.
    public static func matches(_ pattern: String) -> AttributeOption {
        AttributeOption(kind: .rule(.pattern(pattern)))
    }

    /// The ends of the ranges of the standard library; others have none.
    private static func ends<Bound: Comparable>(
        of bounds: some RangeExpression<Bound>
    ) -> (lower: Bound?, upper: Bound?, excludesUpper: Bool) {
        switch bounds as Any {
        case let range as ClosedRange<Bound>: (range.lowerBound, range.upperBound, false)
        case let range as Range<Bound>: (range.lowerBound, range.upperBound, true)
        case let range as PartialRangeFrom<Bound>: (range.lowerBound, nil, false)
        case let range as PartialRangeThrough<Bound>: (nil, range.upperBound, false)
        case let range as PartialRangeUpTo<Bound>: (nil, range.upperBound, true)
        default: (nil, nil, false)
        }
    }
}
