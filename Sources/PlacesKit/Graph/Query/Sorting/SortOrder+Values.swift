import Foundation

extension SortOrder {
    /// How two values compare in this direction: no value comes before every value, going up, and what is not a number
    /// after all that is.
    @inline(__always)
    func compare<Value: Comparable>(_ left: Value?, _ right: Value?) -> ComparisonResult {
        let result: ComparisonResult =
            switch (left, right) {
            case (nil, nil): .orderedSame
            case (nil, _): .orderedAscending
            case (_, nil): .orderedDescending
            case (let left?, let right?):
                left < right || !left.isNotANumber && right.isNotANumber
                    ? .orderedAscending
                    : right < left || !right.isNotANumber && left.isNotANumber
                        ? .orderedDescending : .orderedSame
            }
        return self == .forward ? result : result.reversed
    }
}
