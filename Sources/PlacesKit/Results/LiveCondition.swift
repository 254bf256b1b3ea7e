import Foundation

/// Which rows satisfy a request, through changes and through the time.
struct LiveCondition {
    /// Which rows are to be asked again.
    enum Touched {
        case none
        case these(Set<Int32>)
        /// Any row may be; those of the entity that changed themselves are given.
        case unknown(Set<Int32>)
    }

    private let table: Int
    private var condition: Condition
    /// How the condition moves with the time, if it does.
    private var timed: TimedCondition?
    private let dependencies: QueryDependencies
    private let time: () -> Date
    /// Asks the object of a row what was not compiled.
    private let evaluate: (Int32, Date) -> Bool

    /// Follows a request, and operands that are read for its rows.
    init<Object: ManagedObject>(
        _ request: FetchRequest<Object>, reading operands: [Operand], table: ObjectTable,
        context: ManagedObjectContext
    ) throws(ContextError) {
        self.table = table.number
        let graph = context.told
        time = context.store.now
        let now = time()
        condition = try GraphReading(context).condition(of: request, at: now)
        // Whoever owns this keeps the context alive, and through it the table.
        evaluate = { [unowned context, unowned table] row, now in
            context.evaluate(request.predicates(at: now), row, in: table)
        }
        if request.isTimed {
            let timed = TimedCondition(at: now, table: table.number, graph: graph) {
                [unowned context] instant in
                try? GraphReading(context).condition(of: request, at: instant)
            }
            condition = timed.condition
            self.timed = timed
        }
        dependencies = QueryDependencies(condition, operands, table: table.number, graph: graph)
    }

    /// Whether some part of the condition is asked of the objects.
    var isOpaque: Bool { condition.isOpaque }

    /// Whether the time may change an answer at moments that nobody knows.
    var isPolled: Bool { timed.map { $0.problem != nil } ?? false }

    /// The rows that changes concern, or that the time does.
    mutating func rows(touchedBy changes: ChangeSet) -> Touched {
        timed?.update(changes)
        let own = changes.tables[table]
        var rows = Set(own.inserted)
        rows.formUnion(own.deleted)
        for update in own.updated { rows.insert(update.row) }
        if isOpaque {
            _ = move(in: changes.after)
            return changes.isEmpty ? .none : .unknown(rows)
        }
        dependencies.insertRows(touchedBy: changes, into: &rows)
        switch move(in: changes.after) {
        case .none: return rows.isEmpty ? .none : .these(rows)
        case .these(let others): return .these(rows.union(others))
        case .unknown: return .unknown(rows)
        }
    }

    /// The rows that the time concerns that has passed.
    mutating func move(in graph: Graph) -> Touched {
        guard timed != nil else { return .none }
        guard case let touched? = timed?.move(to: time(), in: graph) else { return .none }
        if let timed { condition = timed.condition }
        switch touched {
        case .these(let rows): return isOpaque ? .unknown([]) : rows.isEmpty ? .none : .these(rows)
        case .unknown: return .unknown([])
        }
    }

    /// The next time at which a row may come or go by itself.
    func nextChange(in graph: Graph) -> Date? { timed?.nextChange(in: graph) }

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
