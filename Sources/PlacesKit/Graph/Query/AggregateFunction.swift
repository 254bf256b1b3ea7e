/// What the values of many rows come to; those without a value do not count.
enum AggregateFunction: String, Sendable {
    case sum, average = "avg", least = "min", greatest = "max"

    /// The result: 0 for the sum of nothing, `.null` for everything else of nothing.
    func apply(_ values: some Sequence<Datum>) -> Datum {
        var result = Datum.null
        var count = 0
        for value in values where value != .null {
            count += 1
            switch self {
            case .sum, .average:
                result = result == .null ? value : ArithmeticOperator.plus.apply(result, value)
            case .least: if result == .null || precedes(value, result) { result = value }
            case .greatest: if result == .null || precedes(result, value) { result = value }
            }
        }
        switch self {
        case .sum: return count == 0 ? .integer(0) : result
        case .average:
            guard let sum = result.number else { return .null }
            return .double(sum / Double(count))
        case .least, .greatest: return result
        }
    }

    /// Whether a value is less than another; what is not a number is greater than all numbers.
    private func precedes(_ left: Datum, _ right: Datum) -> Bool {
        ComparisonOperator.less.holds(left, right) || left == left && right != right
    }
}
