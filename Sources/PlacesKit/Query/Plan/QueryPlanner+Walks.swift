extension QueryPlanner {
    /// A plan that finds the first rows by walking an index in the order of a key, where that seems
    /// to take less time than finding all and sorting them.
    mutating func walk(
        _ condition: Condition, by keys: [SortKey], first limit: Int?, instead plan: QueryPlan
    ) -> QueryPlan? {
        let table = plan.table
        guard choices.contains(.walks), let limit, !condition.isOpaque, keys.count == 1,
            keys[0].comparator == nil, case .attribute(let path) = keys[0].operand, path.count == 1,
            let index = graph.layout.tables[table].orderedIndexes.firstIndex(where: {
                $0.columns.count == 1 && $0.columns[0].column == path[0] && $0.columns[0].isSorted
            })
        else { return nil }
        let conditions = if case .all(let parts) = condition { parts } else { [condition] }
        var range = IndexRange(
            index: index, positions: 0..<graph.tables[table].orderedIndexes[index].count,
            conditions: [])
        var rest: [Condition] = []
        for condition in conditions {
            if case .constant(true) = condition { continue }
            if let part = graph.indexRange(condition, in: table), part.index == index {
                range.positions = range.positions.intersection(with: part.positions)
                range.conditions += part.conditions
            } else {
                rest.append(condition)
            }
        }
        let sort = node(
            table, min(plan.estimate, limit), .sort(plan, keys, limit: limit))
        let isSure = rest.isEmpty
        // How many entries can be looked at while the other plan runs.
        let budget = max(256, plan.effort / 32)
        let share = graph.share(of: .all(rest), in: table)
        let expected = min(
            Double(range.positions.count), Double(limit) / max(share, 1e-9))
        guard isSure || choices.contains(.eager) || expected <= Double(budget) else { return nil }
        let walk = IndexWalk(
            range: range, isAscending: keys[0].isAscending, limit: limit,
            budget: isSure ? .max : budget)
        return node(
            table, min(limit, plan.estimate),
            .walk(walk, tests(rest, in: table), otherwise: isSure ? nil : sort))
    }
}

extension QueryPlan {
    /// Roughly how many nanoseconds the plan takes, and sorting what it finds.
    fileprivate var effort: Int {
        let find =
            switch step {
            case .filter(let plan, let tests): plan.scanned * (1 + tests.count)
            default: scanned
            }
        let (sorting, isOverflow) = estimate.multipliedReportingOverflow(by: 10)
        return isOverflow ? .max : sorting.addingReportingOverflow(find).partialValue
    }

    private var scanned: Int {
        switch step {
        case .everything: estimate
        default: min(estimate, .max / 64) * 16
        }
    }
}

extension IndexedColumn {
    /// Whether the order of the index is that in which requests sort.
    fileprivate var isSorted: Bool { kind != .data && kind != .reference }
}
