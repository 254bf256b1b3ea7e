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
                switch (left.isNotANumber, right.isNotANumber) {
                case (false, false): left.order(to: right)
                case (false, true): .orderedAscending
                case (true, false): .orderedDescending
                case (true, true): .orderedSame
                }
            }
        return self == .forward ? result : result.reversed
    }
}
