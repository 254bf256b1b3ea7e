extension RangeExpression {
    /// The ends of a range of the standard library, `nil` where it is open; `nil` for a range of another type.
    var ends: (lower: Bound?, upper: Bound?, excludesUpper: Bool)? {
        switch self as Any {
        case let range as ClosedRange<Bound>: (range.lowerBound, range.upperBound, false)
        case let range as Range<Bound>: (range.lowerBound, range.upperBound, true)
        case let range as PartialRangeFrom<Bound>: (range.lowerBound, nil, false)
        case let range as PartialRangeThrough<Bound>: (nil, range.upperBound, false)
        case let range as PartialRangeUpTo<Bound>: (nil, range.upperBound, true)
        default: nil
        }
    }
}
