/// A condition with the plans of what it joins, each made once: rows may be found along the links, or
/// be asked.
struct PlannedCondition {
    let condition: Condition
    let form: Form
    /// Which share of the table's rows satisfies the condition, as far as is known.
    let share: Double
    /// How many relationships back the furthest row lies that the condition reads.
    let reach: Int
    /// How many rows are looked at to ask one row, on average.
    let visits: Double
    /// The part of an ordered index where a comparison holds, if there is one.
    ///
    /// The way to it goes down a tree, and short queries take about as long as that.
    var range: IndexRange?

    indirect enum Form {
        case plain
        case not(PlannedCondition)
        case all([PlannedCondition])
        case any([PlannedCondition])
        /// A to-one relationship leads to a row of a plan.
        case target(RowTest.Join, otherwise: Bool)
        /// A to-many relationship has a row of a plan for a member.
        case member(RowTest.Join)
    }
}

extension QueryPlanner {
    /// A condition with the plans of what it joins.
    mutating func planned(_ condition: Condition, in table: TableNumber) -> PlannedCondition {
        switch condition {
        case .not(let inner):
            let inner = planned(inner, in: table)
            return PlannedCondition(
                condition: condition, form: .not(inner), share: 1 - inner.share,
                reach: inner.reach, visits: inner.visits)
        case .all(let inner):
            let parts = inner.map { planned($0, in: table) }
            return PlannedCondition(
                condition: condition, form: .all(parts), share: parts.commonShare,
                reach: parts.map(\.reach).max() ?? 0, visits: parts.reduce(0) { $0 + $1.visits })
        case .any(let inner):
            let parts = inner.map { planned($0, in: table) }
            return PlannedCondition(
                condition: condition, form: .any(parts),
                share: 1 - parts.reduce(1) { $0 * (1 - $1.share) },
                reach: parts.map(\.reach).max() ?? 0, visits: parts.reduce(0) { $0 + $1.visits })
        case .related(let slot, let inner, let otherwise):
            return planned(condition, joining: inner, slot, in: table) { inner, join in
                (.target(join, otherwise: otherwise), inner.share)
            }
        case .anyMember(let slot, let inner):
            let graph = graph
            return planned(condition, joining: inner, slot, in: table) { inner, join in
                (.member(join), graph.share(ofOwners: slot, in: table, ofMembers: inner.share))
            }
        default:
            let range = graph.indexRange(condition, in: table)
            let share =
                range.map { Double($0.positions.count) / Double(max(1, graph.tables[table].count)) }
                ?? graph.share(of: condition, in: table)
            return PlannedCondition(
                condition: condition, form: .plain, share: share, reach: condition.reach, visits: 1,
                range: range)
        }
    }

    private mutating func planned(
        _ condition: Condition, joining inner: Condition, _ slot: Slot, in table: TableNumber,
        _ joined: (PlannedCondition, RowTest.Join) -> (PlannedCondition.Form, share: Double)
    ) -> PlannedCondition {
        let inner = planned(inner, in: graph.destination(of: slot, in: table))
        let visits = max(1, graph.reached(by: slot, in: table)) * inner.visits
        var (form, share) = (PlannedCondition.Form.plain, 0.3)
        // What looks out is asked of each row, with what lies around it.
        if inner.reach == 0 {
            let plan = destinationPlan(inner, slot, in: table)
            (form, share) = joined(
                inner, .init(slot: slot, plan: plan, condition: condition, visits: visits))
        }
        return PlannedCondition(
            condition: condition, form: form, share: share, reach: max(0, inner.reach - 1),
            visits: visits)
    }
}

extension [PlannedCondition] {
    /// Which share of the rows satisfies all of the conditions, as far as is known.
    var commonShare: Double { reduce(1) { $0 * $1.share } }

    /// The parts of ordered indexes where some of the conditions hold, one part for each index, with the
    /// numbers of the conditions.
    var indexRanges: [(range: IndexRange, conditions: [Int])] {
        var ranges: [(range: IndexRange, conditions: [Int])] = []
        for (number, condition) in enumerated() {
            guard let range = condition.range else { continue }
            if let same = ranges.firstIndex(where: { $0.range.index == range.index }) {
                ranges[same].range.positions =
                    ranges[same].range.positions.intersection(with: range.positions)
                ranges[same].range.conditions += range.conditions
                ranges[same].conditions.append(number)
            } else {
                ranges.append((range, [number]))
            }
        }
        return ranges
    }
}
