/// How many chunks a scan had not to look into.
struct ScanTally: Equatable {
    /// Those where no row can match.
    var skipped = 0
    /// Those where all rows that have a value match.
    var whole = 0

    /// Counts a chunk with one answer for all its values.
    mutating func note(_ answer: Bool) {
        if answer { whole += 1 } else { skipped += 1 }
    }
}

extension NumberBounds {
    /// Whether all of the numbers compare so with a constant, or none does; `nil` where some may.
    func verdict(_ comparison: ComparisonOperator, _ constant: UInt64) -> Bool? {
        if isEmpty { return comparison == .notEqual }
        let (none, all) =
            switch comparison {
            case .equal:
                (constant < low || constant > high, low == constant && high == constant)
            case .notEqual:
                (low == constant && high == constant, constant < low || constant > high)
            case .less: (low >= constant, high < constant)
            case .lessOrEqual: (low > constant, high <= constant)
            case .greater: (high <= constant, low > constant)
            case .greaterOrEqual: (high < constant, low >= constant)
            }
        // What is not a number is unequal to every number, and nothing else.
        if none { return hasNaN && comparison == .notEqual ? nil : false }
        return all && (!hasNaN || comparison == .notEqual) ? true : nil
    }
}
