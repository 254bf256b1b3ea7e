import Foundation

extension Graph {
    /// Whether a row comes before another in the order of some keys; equal ones keep their order.
    func precedes(
        _ first: Int32, _ second: Int32, by keys: [SortKey], in table: Int
    ) -> Bool {
        for key in keys {
            switch key.order(
                value(of: key.operand, first, in: table),
                value(of: key.operand, second, in: table))
            {
            case .orderedAscending: return true
            case .orderedDescending: return false
            case .orderedSame: continue
            }
        }
        return first < second
    }
}

extension SortKey {
    /// How two values compare, just as `Graph.sorted` has it: no value comes before every value.
    fileprivate func order(_ left: Datum, _ right: Datum) -> ComparisonResult {
        let precedes: Bool
        let follows: Bool
        switch (left, right) {
        case (.null, .null): return .orderedSame
        case (.null, _): (precedes, follows) = (true, false)
        case (_, .null): (precedes, follows) = (false, true)
        default:
            if let left = left.text, let right = right.text {
                let less = comparesText ?? { $0 < $1 }
                (precedes, follows) = (less(left, right), less(right, left))
            } else {
                let (left, right) = (left.orderedBits, right.orderedBits)
                (precedes, follows) = (left < right, right < left)
            }
        }
        if precedes { return isAscending ? .orderedAscending : .orderedDescending }
        if follows { return isAscending ? .orderedDescending : .orderedAscending }
        return .orderedSame
    }
}
