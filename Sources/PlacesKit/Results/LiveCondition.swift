import Foundation

/// Which rows satisfy a request, and what that depends on, through changes and through the time.
struct LiveCondition {
    /// Which rows may have another answer because time has passed.
    enum Touched {
        case these(Set<Int32>)
        case unknown
    }

    /// The condition now.
    private(set) var condition: Condition
    /// What is read of other tables.
    private(set) var dependencies: QueryDependencies
    private let table: Int
    /// What is read for the rows besides.
    private let operands: [Operand]
    /// How the condition moves with the time, if it does.
    private var timed: TimedCondition?
    private let time: () -> Date
    /// Asks the object of a row what was not compiled.
    private let evaluate: (Int32, Date) -> Bool

    /// Follows a request, and operands that are read for its rows.
    init<Object: ManagedObject>(
        _ request: FetchRequest<Object>, reading operands: [Operand], table: ObjectTable,
        context: ManagedObjectContext
    ) throws(ContextError) {
        self.table = table.number
        self.operands = operands
        time = context.store.now
        condition = try GraphReading(context).condition(of: request, at: time())
        // Whoever owns this keeps the context alive, and through it the table.
        evaluate = { [unowned context, unowned table] row, now in
            context.evaluate(request.predicates(at: now), row, in: table)
        }
        let graph = context.told
        if request.isTimed {
            timed = TimedCondition(at: time(), table: table.number, graph: graph) {
                [unowned context] instant in
                try? GraphReading(context).condition(of: request, at: instant)
            }
            condition = timed?.condition ?? condition
        }
        dependencies = QueryDependencies(
            condition, operands, table: table.number, layout: graph.layout)
    }

    /// Whether the time may change an answer by itself.
    var isTimed: Bool { timed != nil }

    /// Whether it may do so at moments that nobody knows.
    var isPolled: Bool { timed.map { $0.problem != nil } ?? false }

    /// Why all rows are asked again at each change, in words.
    var problems: [String] {
        if condition.isOpaque { return ["the predicate is not compiled"] }
        return timed?.problem.map { [$0] } ?? []
    }

    // MARK: - Following

    /// Follows changes, each of which must be told where the condition moves with the time.
    mutating func follow(_ changes: ChangeSet) { timed?.update(changes) }

    /// Goes to the present time, and tells which rows may have another answer.
    mutating func move(in graph: Graph) -> Touched {
        guard let touched = timed?.move(to: time(), in: graph), let timed else { return .these([]) }
        condition = timed.condition
        switch touched {
        case .these(let rows): return condition.isOpaque ? .unknown : .these(rows)
        case .unknown:
            dependencies = QueryDependencies(
                condition, operands, table: table, layout: graph.layout)
            return .unknown
        }
    }

    /// The next time at which a row may come or go by itself, if it is known.
    func nextChange(in graph: Graph) -> Date? { timed?.nextChange(in: graph) }

    // MARK: - Asking

    /// Whether a row exists and matches.
    func matches(_ row: Int32, in graph: Graph) -> Bool {
        graph.contains(row, in: table)
            && graph.matches(condition, row, in: table) { evaluate($0, timed?.now ?? time()) }
    }

    /// All rows that match, in ascending order.
    func rows(in graph: Graph) -> ContiguousArray<Int32> {
        graph.fetchRows(condition, in: table) { evaluate($0, timed?.now ?? time()) }
    }
}
