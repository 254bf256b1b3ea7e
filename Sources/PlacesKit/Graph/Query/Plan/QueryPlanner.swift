/// Makes the plan of a query: which rows to begin with, and what to ask of them.
///
/// Times are guessed in steps of a scan, one for each row, which is about a nanosecond.
struct QueryPlanner {
    let graph: Graph
    let choices: PlanChoices
    private var nextID = 0

    init(_ graph: Graph, choices: PlanChoices = .sensible) {
        self.graph = graph
        self.choices = choices
    }

    /// The plan for the rows of a table that satisfy a condition.
    mutating func plan(_ condition: Condition, in table: TableNumber) -> QueryPlan {
        let condition = planned(condition, in: table)
        return plan(condition, in: table, isLinked: false)
    }

    /// The plan for the first rows in the order of some keys, or the first of a page.
    mutating func plan(
        _ condition: Condition, in table: TableNumber, by keys: [SortKey], first limit: Int?,
        page: PageStart? = nil
    ) -> QueryPlan {
        let condition = planned(condition, in: table)
        let rest = page.map { PageRest($0, by: keys, in: table, of: graph) }
        let walk = walk(condition, in: table, by: keys, first: limit, rest)
        if let walk, walk.rest.isEmpty { return plan(walk, in: table) }
        let rows = plan(condition, in: table, isLinked: false)
        guard !keys.isEmpty || limit != nil || page != nil else { return rows }
        let count = min(rows.estimate, limit ?? .max)
        let sort = node(table, count, .sort(rows, keys, limit: limit, rest))
        if let walk, let plan = plan(walk, insteadOf: sort, rows) { return plan }
        guard page == nil else { return sort }
        return nearest(condition, in: table, by: keys, first: limit, otherwise: sort, rows) ?? sort
    }

    /// The plan of the rows that a relationship may lead to.
    ///
    /// While a delete is denied links lead to rows that no index knows.
    mutating func destinationPlan(
        _ condition: PlannedCondition, _ slot: Slot, in table: TableNumber
    ) -> QueryPlan {
        let destination = graph.destination(of: slot, in: table)
        return plan(
            condition, in: destination, isLinked: graph.layout.tables[destination].keepsDeniedLinks)
    }

    private mutating func plan(
        _ condition: PlannedCondition, in table: TableNumber, isLinked: Bool
    ) -> QueryPlan {
        let count = graph.tables[table].count
        if !isLinked, let source = source(condition, in: table),
            choices.contains(.eager) || source.plan.estimate <= count / 8 || source.plan.findsWords
                || choices.contains(.existence) && source.rest.isEmpty
        {
            return filter(source.plan, source.rest)
        }
        let all = node(table, count, .everything(isLinked: isLinked))
        if condition.condition.isConstant(true) { return all }
        return filter(all, [condition])
    }

    /// The rows of a plan that satisfy some conditions besides.
    private mutating func filter(
        _ plan: QueryPlan, _ conditions: [PlannedCondition]
    ) -> QueryPlan {
        guard !conditions.isEmpty else { return plan }
        return node(
            plan.table, Int((Double(plan.estimate) * conditions.commonShare).rounded(.up)),
            .filter(plan, tests(conditions, in: plan.table)))
    }

    mutating func node(_ table: TableNumber, _ estimate: Int, _ step: QueryPlan.Step) -> QueryPlan {
        defer { nextID += 1 }
        return QueryPlan(id: nextID, table: table, estimate: estimate, step: step)
    }

    // MARK: - Tests

    /// What to ask of rows for some conditions, the quickest first.
    mutating func tests(_ conditions: [PlannedCondition], in table: TableNumber) -> [RowTest] {
        var parts: [PlannedCondition] = []
        for condition in conditions {
            if case .all(let inner) = condition.form {
                parts += inner
            } else {
                parts.append(condition)
            }
        }
        return parts.map { test($0, in: table) }
            .enumerated()
            .sorted { ($0.element.effort, $0.offset) < ($1.element.effort, $1.offset) }
            .map(\.element)
    }

    private mutating func test(_ condition: PlannedCondition, in table: TableNumber) -> RowTest {
        switch condition.form {
        case .not(let inner): .not(test(inner, in: table))
        case .all(let inner): .all(tests(inner, in: table))
        case .any(let inner): .any(inner.map { test($0, in: table) })
        case .target(let join, let otherwise): .target(join, otherwise: otherwise)
        case .member(let join): .member(join)
        case .plain: test(condition.condition, in: table)
        }
    }

    private mutating func test(_ condition: Condition, in table: TableNumber) -> RowTest {
        switch condition {
        case .opaque(let opaque): return .object(opaque)
        case .text(.attribute(let path), let test) where path.count == 1:
            return test.words.flatMap { amongWords(path[0], $0, condition, in: table) }
                ?? .condition(condition)
        default: return .condition(condition)
        }
    }
}

extension RowTest {
    /// Roughly how long the test takes, to ask quick ones first.
    fileprivate var effort: Int {
        switch self {
        case .condition(let condition):
            switch condition {
            case .constant: 0
            case .kind, .rows: 1
            case .comparison(let left, _, let right): left.isChosen || right.isChosen ? 5 : 1
            case .membership(let operand, _): operand.isChosen ? 5 : 2
            case .text(let operand, _): operand.isChosen ? 5 : 3
            default: 5
            }
        case .target, .member, .among: 4
        case .not(let test): test.effort
        case .all(let tests), .any(let tests): tests.map(\.effort).max() ?? 0
        case .object: 6
        }
    }
}

extension Operand {
    /// Whether a condition of any length is asked for the value, row by row.
    fileprivate var isChosen: Bool {
        switch self {
        case .chosen: true
        case .applied(_, let operand), .outer(_, let operand): operand.isChosen
        case .coalesced(let first, let second), .arithmetic(let first, _, let second),
            .exact(let first, _, let second, _), .distance(let first, let second, _):
            first.isChosen || second.isChosen
        case .constant, .attribute, .count, .identity, .relevance, .aggregate, .countWhere,
            .member, .first:
            false
        }
    }
}
