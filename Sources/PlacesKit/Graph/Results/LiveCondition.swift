import Foundation

/// Which rows satisfy a request, and what that depends on, through changes and through the time.
struct LiveCondition {
    /// Which rows may have another answer because time has passed.
    enum Touched {
        case these(Set<Row>)
        case unknown
    }

    /// The condition now, but for what is reached.
    private var inner: Condition
    /// What has to be reached, if anything, which the relationships lead to now.
    private let reach: ReachedRows?
    private var reached: RowSet?
    /// Whether the relationships may lead elsewhere than it was last known.
    private var isReachStale = false
    /// What is read of other tables.
    private(set) var dependencies: QueryDependencies
    private let table: TableNumber
    /// What is read for the rows besides.
    private let operands: [Operand]
    /// How the condition moves with the time, if it does.
    private var timed: TimedCondition?
    private let time: () -> Date
    /// Asks the objects of a graph, at a time, what was not compiled.
    private let evaluation: (Graph, Date) -> (Row) -> Bool

    /// Follows a request, and operands that are read for its rows.
    init<Object: ManagedObject>(
        _ request: FetchRequest<Object>, reading operands: [Operand], table: ObjectTable,
        context: ManagedObjectContext
    ) throws(ContextError) {
        self.table = table.number
        self.operands = operands
        time = context.store.now
        reach = try request.reachable.map { (walk) throws(ContextError) in
            try ReachedRows(walk, of: context.store.model)
        }
        reached = reach?.set(in: context.told)
        var request = request
        request.reachable = nil
        inner = try GraphReading(context).condition(of: request, at: time())
        let (entity, _) = try GraphReading(context).entity(of: Object.self)
        // Whoever owns this keeps the context alive.
        evaluation = { [unowned context, request] graph, now in
            GraphReading(context, showing: graph, at: now).evaluation(of: request, of: entity)
        }
        let graph = context.told
        if request.isTimed {
            timed = TimedCondition(at: time(), table: table.number, graph: graph) {
                [unowned context, request] instant in
                try? GraphReading(context).condition(of: request, at: instant)
            }
            inner = timed?.condition ?? inner
        }
        dependencies = QueryDependencies(
            inner, operands, table: table.number, layout: graph.layout)
    }

    /// The condition now.
    var condition: Condition { reached.map { .every([inner, .rows($0)]) } ?? inner }

    /// Whether the condition moves with the time, or with what leads to the rows.
    var isMoving: Bool { timed != nil || reach != nil }

    /// Whether it may do so at moments that nobody knows.
    var isPolled: Bool { timed.map { $0.problem != nil } ?? false }

    /// Why all rows are asked again at each change, in words.
    var problems: [String] {
        if inner.isOpaque { return ["the predicate is not compiled"] }
        return timed?.problem.map { [$0] } ?? []
    }

    // MARK: - Following

    /// Follows changes, each of which must be told where the condition moves.
    mutating func follow(_ changes: ChangeSet) {
        timed?.update(changes)
        if reach?.isConcerned(by: changes) ?? false { isReachStale = true }
    }

    /// Goes to the present time and to what is reached in a graph, and tells which rows may have another answer.
    mutating func move(in graph: Graph) -> Touched {
        let reached = moveReach(in: graph)
        guard let touched = timed?.move(to: time(), in: graph), let timed else {
            return reached.isEmpty || !inner.isOpaque ? .these(reached) : .unknown
        }
        inner = timed.condition
        switch touched {
        case .these(let rows): return inner.isOpaque ? .unknown : .these(rows.union(reached))
        case .unknown:
            dependencies = QueryDependencies(
                inner, operands, table: table, layout: graph.layout)
            return .unknown
        }
    }

    private mutating func moveReach(in graph: Graph) -> Set<Row> {
        guard isReachStale, let reach, let former = reached else { return [] }
        isReachStale = false
        let reached = reach.set(in: graph)
        self.reached = reached
        return reached.difference(from: former)
    }

    /// The next time at which a row may come or go by itself, if it is known.
    func nextChange(in graph: Graph) -> Date? { timed?.nextChange(in: graph) }

    /// Until when whoever follows it sleeps; `nil` where the time changes nothing, or nobody knows when it does.
    ///
    /// Where no row comes or goes by itself he sleeps too, for somebody may set the clock back.
    func alarm(in graph: Graph) -> Date? {
        timed.flatMap { $0.problem == nil ? $0.nextChange(in: graph) ?? .distantFuture : nil }
    }

    // MARK: - Asking

    /// Tells of rows whether they exist and match.
    func matching(in graph: Graph) -> (Row) -> Bool {
        let matches = graph.answers(to: condition, in: table, opaque: evaluation(graph, now))
        return { [table] row in graph.contains(row, in: table) && matches(row) }
    }

    /// All rows that match, in ascending order.
    func rows(in graph: Graph) -> ContiguousArray<Row> {
        graph.fetchRows(condition, in: table, opaque: evaluation(graph, now))
    }

    /// The time for which rows are asked.
    private var now: Date { timed?.now ?? time() }
}
