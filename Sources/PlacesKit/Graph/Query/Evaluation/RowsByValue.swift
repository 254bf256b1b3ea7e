import Foundation

/// Rows in the order of a value of each, so that those whose value compares so with another are found by halving.
struct RowsByValue {
    typealias Entry = (value: Datum, row: Row)

    /// The rows whose values are of one kind, for each kind.
    private let runs: [[Entry]]

    init(_ entries: some Sequence<Entry>) {
        runs = Dictionary(grouping: entries, by: \.value.kind).values
            .map { $0.sorted { $0.value.precedes($1.value) } }
    }

    /// The rows whose value compares so with another, as `ComparisonOperator.holds` has it, or those whose does not.
    ///
    /// - Complexity: O(log n).
    func rows(
        _ comparison: ComparisonOperator, _ value: Datum, isNegated: Bool = false
    ) -> [ArraySlice<Entry>] {
        runs.flatMap { run in
            let start = run.indices.endOfPrefix { run[$0].value.precedes(value) }
            let end = run.indices.endOfPrefix { !value.precedes(run[$0].value) }
            // All of a part are less, or all greater, or all equal to the value or like nothing that it is.
            return [0..<start, start..<end, end..<run.count].lazy
                .filter {
                    !$0.isEmpty
                        && comparison.holds(run[$0.lowerBound].value, value) != isNegated
                }
                .map { run[$0] }
        }
    }
}

extension Datum {
    /// What values have in common of which one precedes another: what is not a number has no place among numbers.
    fileprivate var kind: Int {
        switch self {
        case .null: 0
        case .boolean: 1
        case .integer: 2
        case .unsigned: 3
        case .decimal(let value): value.isNaN ? 4 : 5
        case .double(let value): value.isNaN ? 6 : 7
        case .string: 8
        case .date(let value): value.timeIntervalSinceReferenceDate.isNaN ? 9 : 10
        case .uuid: 11
        case .data: 12
        }
    }

    /// Whether a value comes before another: where it is less, and for data by their bytes.
    fileprivate func precedes(_ other: Datum) -> Bool {
        guard case .data(let left) = self, case .data(let right) = other else {
            return ComparisonOperator.less.holds(self, other)
        }
        return left.lexicographicallyPrecedes(right)
    }
}
