extension QueryPlanner {
    /// Parts of indexes over several columns that conditions leave: equalities with the first columns and comparisons of
    /// the one that follows.
    mutating func compoundRanges(
        _ conditions: [PlannedCondition], in table: TableNumber
    ) -> [(range: IndexRange, conditions: [Int])] {
        graph.layout.tables[table].orderedIndexes.indices.compactMap { number in
            let columns = graph.layout.tables[table].orderedIndexes[number].columns
            guard columns.count > 1, !graph.layout.tables[table].orderedIndexes[number].isSpatial
            else { return nil }
            var (values, used) = equalities(columns, conditions)
            guard !values.isEmpty else { return nil }
            var bounds: [(ComparisonOperator, Datum)] = []
            if values.count < columns.count {
                for (index, condition) in conditions.enumerated() {
                    guard
                        let (comparison, bound) = condition.condition.comparison(
                            of: columns[values.count].column), comparison != .notEqual,
                        bound != .null
                    else { continue }
                    bounds.append((comparison, bound))
                    used.append(index)
                }
            }
            // The first column alone is what indexes of one column are asked for as well.
            guard used.count > 1,
                let positions = graph.indexRange(number, equal: values, bounds, in: table)
            else { return nil }
            return (
                IndexRange(
                    index: number, positions: positions,
                    conditions: used.map { conditions[$0].condition }), used
            )
        }
    }

    /// The values that conditions give the first columns of an index, as many as have one, and which conditions these are.
    func equalities(
        _ columns: [IndexedColumn], _ conditions: [PlannedCondition]
    ) -> (values: [Datum], conditions: [Int]) {
        var (values, used) = ([Datum](), [Int]())
        for column in columns {
            let found = conditions.indices.lazy.compactMap { index -> (Int, Datum)? in
                guard
                    case (.equal, let value)? = conditions[index].condition.comparison(
                        of: column.column), value != .null
                else { return nil }
                return (index, value)
            }.first
            guard let (index, value) = found else { break }
            values.append(value)
            used.append(index)
        }
        return (values, used)
    }
}

extension Condition {
    /// What an attribute or a to-one relationship of the row is compared with, if it is a constant.
    func comparison(of slot: Slot) -> (ComparisonOperator, Datum)? {
        switch self {
        case .comparison(.attribute([slot]), let comparison, .constant(let value)):
            (comparison, value)
        case .comparison(.identity([slot]), .equal, .constant(let value)): (.equal, value)
        default: nil
        }
    }
}
