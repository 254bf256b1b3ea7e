/// What the values of many rows come to; those without a value do not count.
enum AggregateFunction: String, Sendable {
    case sum, average = "avg", least = "min", greatest = "max"

    /// The result: 0 for the sum of nothing, `.null` for everything else of nothing.
    func apply(_ values: some Sequence<Datum>) -> Datum {
        switch self {
        case .sum: return NumberSum(values).value
        case .average:
            let sum = NumberSum(values)
            guard sum.count > 0, let total = sum.value.number else { return .null }
            return .double(total / Double(sum.count))
        case .least, .greatest: break
        }
        var result = Datum.null
        for value in values where value != .null {
            let isBetter =
                self == .least ? precedes(value, result) : precedes(result, value)
            if result == .null || isBetter { result = value }
        }
        return result
    }

    /// Whether a value is less than another; what is not a number is greater than all numbers.
    private func precedes(_ left: Datum, _ right: Datum) -> Bool {
        ComparisonOperator.less.holds(left, right) || left == left && right != right
    }
}
