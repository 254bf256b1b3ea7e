extension QueryPlanner {
    /// The first rows in the order of a key by way of an index: the part of it where some of a
    /// condition holds, and what is to be asked of the rows there.
    typealias Walk = (
        range: IndexRange, isAscending: Bool, limit: Int, rest: [PlannedCondition], page: PageRest?
    )

    /// The way to walk an index for a request, where its order is that of the request.
    func walk(
        _ condition: PlannedCondition, in table: TableNumber, by keys: [SortKey], first limit: Int?,
        _ page: PageRest?
    ) -> Walk? {
        guard choices.contains(.walks), let limit, keys.count == 1, keys[0].comparator == nil,
            case .attribute(let path) = keys[0].operand, path.count == 1,
            !keys[0].hasGreatestNil || graph.isRequired(path[0], in: table),
            !condition.condition.isOpaque
        else { return nil }
        let conditions = if case .all(let parts) = condition.form { parts } else { [condition] }
        guard
            case (var range, let rest)? = compoundWalk(conditions, in: table, by: path[0])
                ?? singleWalk(conditions, in: table, by: path[0])
        else { return nil }
        if let page {
            range.positions = page.positions(
                range.positions, of: graph.tables[table].orderedIndexes[range.index])
        }
        return (range, keys[0].isAscending, limit, rest, page)
    }

    /// The part of an index of one column in which conditions hold, and what is left to be asked there.
    private func singleWalk(
        _ conditions: [PlannedCondition], in table: TableNumber, by slot: Slot
    ) -> (range: IndexRange, rest: [PlannedCondition])? {
        guard
            let index = graph.layout.tables[table].orderedIndexes.firstIndex(where: {
                $0.columns.count == 1 && $0.columns[0].column == slot && $0.columns[0].isSorted
            })
        else { return nil }
        var range = IndexRange(
            index: index, positions: 0..<graph.tables[table].orderedIndexes[index].count,
            conditions: [])
        var rest: [PlannedCondition] = []
        for planned in conditions {
            let condition = planned.condition
            if case .constant(true) = condition { continue }
            if let part = planned.range, part.index == index {
                range.positions = range.positions.intersection(with: part.positions)
                range.conditions += part.conditions
            } else {
                if let part = graph.prefixRange(condition, in: table), part.index == index {
                    range.positions = range.positions.intersection(with: part.positions)
                    range.conditions += part.conditions
                }
                rest.append(planned)
            }
        }
        return (range, rest)
    }

    /// The part of an index of several columns in which rows are in the order of the last one, for all others have one
    /// value, and what is left to be asked there.
    private func compoundWalk(
        _ conditions: [PlannedCondition], in table: TableNumber, by slot: Slot
    ) -> (range: IndexRange, rest: [PlannedCondition])? {
        for (number, layout) in graph.layout.tables[table].orderedIndexes.enumerated() {
            guard layout.columns.count > 1, !layout.isSpatial, let last = layout.columns.last,
                last.column == slot, last.isSorted,
                case let first = layout.columns.dropLast(),
                case (let values, var used) = equalities(Array(first), conditions),
                values.count == first.count
            else { continue }
            let bounds = conditions.indices.filter { index in
                let comparison = conditions[index].condition.comparison(of: slot)
                return !used.contains(index) && comparison != nil
                    && comparison?.0 != .notEqual && comparison?.1 != .null
            }
            let compared = bounds.compactMap { conditions[$0].condition.comparison(of: slot) }
            let narrow = graph.indexRange(number, equal: values, compared, in: table)
            guard
                let positions = narrow ?? graph.indexRange(number, equal: values, in: table)
            else { continue }
            if narrow != nil { used += bounds }
            let rest = conditions.indices.filter {
                !used.contains($0) && !conditions[$0].condition.isConstant(true)
            }
            return (
                IndexRange(
                    index: number, positions: positions,
                    conditions: used.map { conditions[$0].condition }),
                rest.map { conditions[$0] }
            )
        }
        return nil
    }

    /// The plan of a walk after which nothing is left to ask; no other takes less time.
    mutating func plan(_ walk: Walk, in table: TableNumber) -> QueryPlan {
        let step = IndexWalk(
            range: walk.range, isAscending: walk.isAscending, limit: walk.limit, budget: .max,
            page: walk.page)
        return node(
            table, min(walk.limit, walk.range.positions.count), .walk(step, [], otherwise: nil))
    }

    /// The plan of a walk, where that seems to take less time than to find all rows and sort them.
    mutating func plan(_ walk: Walk, insteadOf sort: QueryPlan, _ all: QueryPlan) -> QueryPlan? {
        // How many entries can be looked at while the other plan runs.
        let budget = max(256, all.effort / 32)
        let share = walk.rest.commonShare
        let expected = min(
            Double(walk.range.positions.count), Double(walk.limit) / max(share, 1e-9))
        guard choices.contains(.eager) || expected <= Double(budget) else { return nil }
        let step = IndexWalk(
            range: walk.range, isAscending: walk.isAscending, limit: walk.limit, budget: budget,
            page: walk.page)
        return node(
            all.table, min(walk.limit, all.estimate),
            .walk(step, tests(walk.rest, in: all.table), otherwise: sort))
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

extension Graph {
    /// Whether every row has a value of an attribute.
    fileprivate func isRequired(_ slot: Slot, in table: TableNumber) -> Bool {
        layout.tables[table].properties[slot].attribute?.isOptional == false
    }
}

extension IndexedColumn {
    /// Whether the order of the index is that in which requests sort.
    fileprivate var isSorted: Bool { kind != .data && kind != .blob && kind != .reference }
}
