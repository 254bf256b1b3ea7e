extension QueryPlanner {
    /// The first rows in the order of a key by way of an index: the part of it where some of a
    /// condition holds, and what is to be asked of the rows there.
    typealias Walk = (step: IndexWalk, rest: [PlannedCondition])

    /// The way to walk an index for a request, where its order is that of the request's first key.
    func walk(
        _ condition: PlannedCondition, in table: TableNumber, by keys: [SortKey], first limit: Int?,
        _ page: PageRest?
    ) -> Walk? {
        guard choices.contains(.walks), let limit, let key = keys.first, key.comparator == nil,
            keys.count == 1 || page == nil,
            case .attribute(let path) = key.operand, path.count == 1,
            case let hasNilBehind = key.hasGreatestNil && !graph.isRequired(path[0], in: table),
            !condition.condition.isOpaque
        else { return nil }
        let conditions = if case .all(let parts) = condition.form { parts } else { [condition] }
        let compound = compoundWalk(conditions, in: table, by: path[0])
        guard
            case (var range, let rest)? = compound
                ?? leadingWalk(conditions, in: table, by: path[0], isPage: page != nil)
        else { return nil }
        // Where the index has another order there are two parts, each of which knows where the page goes on.
        if let page, !hasNilBehind {
            range.positions = page.positions(
                range.positions, of: graph.tables[table].orderedIndexes[range.index])
        }
        let columns = graph.layout.tables[table].orderedIndexes[range.index].columns.count
        let count = compound == nil ? 1 : columns
        let step = IndexWalk(
            range: range, isAscending: key.isAscending, hasGreatestNil: hasNilBehind,
            limit: limit, budget: .max, page: page, columnCount: count,
            keys: keys.count > 1 || count < columns ? keys : [])
        return (step, rest)
    }

    /// The part in which conditions hold of an index whose first column is the one to sort by, and what is left to be
    /// asked there; of one without others, if there is any.
    private func leadingWalk(
        _ conditions: [PlannedCondition], in table: TableNumber, by slot: Slot, isPage: Bool
    ) -> (range: IndexRange, rest: [PlannedCondition])? {
        let indexes = graph.layout.tables[table].orderedIndexes
        let fitting = indexes.indices.filter {
            let layout = indexes[$0]
            return layout.columns[0].column == slot && layout.columns[0].isSorted
                && !layout.isSpatial && !layout.isPartial && (layout.columns.count == 1 || !isPage)
        }
        guard let index = fitting.min(by: { indexes[$0].columns.count < indexes[$1].columns.count })
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
        node(
            table, min(walk.step.limit, walk.step.range.positions.count),
            .walk(walk.step, [], otherwise: nil))
    }

    /// The plan of a walk, where that seems to take less time than to find all rows and sort them.
    mutating func plan(_ walk: Walk, insteadOf sort: QueryPlan, _ all: QueryPlan) -> QueryPlan? {
        // How many entries can be looked at while the other plan runs.
        let budget = max(256, all.effort / 32)
        let share = walk.rest.commonShare
        var step = walk.step
        let expected = min(
            Double(step.range.positions.count), Double(step.limit) / max(share, 1e-9))
        guard choices.contains(.eager) || expected <= Double(budget) else { return nil }
        step.budget = budget
        return node(
            all.table, min(step.limit, all.estimate),
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
