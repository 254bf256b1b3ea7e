import Foundation

/// A request compiled for being asked again about single rows.
struct TrackedQuery {
    /// What was compiled.
    var compiled: ResultsQuery
    /// Which rows match.
    private var condition: LiveCondition
    /// Sorts rows by what was not compiled.
    private let sortObjects: (ContiguousArray<Int32>) -> ContiguousArray<Int32>
    /// Asks the object of a row for the name of its section.
    private let sectionOfObject: ((Int32) -> String)?

    init<Object: ManagedObject>(
        _ request: FetchRequest<Object>, section: PartialKeyPath<Object>?, table: ObjectTable,
        context: ManagedObjectContext
    ) throws(ContextError) {
        // The controller that owns this keeps the context alive, and through it the table.
        sortObjects = { [unowned table] rows in
            let objects = rows.map { unsafeDowncast(table.object($0), to: Object.self) }
            return ContiguousArray(
                objects.sorted(using: request.sortDescriptors).map(\.row))
        }
        let graph = context.transaction.graph
        let sections: ResultsQuery.Sections
        switch section.map(context.store.model.resolve) {
        case .none: sections = .none
        case .property(let path)??:
            sections = .operand(
                graph.isToOne(path, in: table.number) ? .identity(path) : .attribute(path))
        case .count(let path)??: sections = .operand(.count(path))
        case .identity(let path)??: sections = .operand(.identity(path))
        case .some(nil): sections = .opaque
        }
        if case .opaque = sections {
            sectionOfObject = { [unowned table] row in
                let object = unsafeDowncast(table.object(row), to: Object.self)
                return section.map { String(sectionValue: object[keyPath: $0]) } ?? ""
            }
        } else {
            sectionOfObject = nil
        }
        let keys = context.sortKeys(request.sortDescriptors)
        var operands = (keys ?? []).map(\.operand)
        if case .operand(let operand) = sections { operands.append(operand) }
        condition = try LiveCondition(
            request, reading: operands, table: table, context: context)
        compiled = ResultsQuery(
            table: table.number, condition: condition.condition, keys: keys, sections: sections,
            window: request.window)
        compiled.readsOthers = condition.dependencies.tables.count > 1
    }

    /// What is read of other tables.
    var dependencies: QueryDependencies { condition.dependencies }

    /// All matching rows in order, those in the window in their sections.
    ///
    /// - Complexity: O(n log n).
    func fetch(from graph: Graph) -> RankedRows {
        let matches = condition.rows(in: graph)
        let sorted =
            compiled.keys.map {
                graph.sorted(matches, by: $0, in: compiled.table, first: matches.count)
            } ?? sortObjects(matches)
        return RankedRows(sorted, compiled, in: graph) { row in
            sectionOfObject?(row) ?? compiled.section(of: row, in: graph)
        }
    }

    /// Whether a row exists and matches.
    func matches(_ row: Int32, in graph: Graph) -> Bool { condition.matches(row, in: graph) }

    // MARK: - Time

    /// Whether the time may change the results by itself.
    var isTimed: Bool { condition.isTimed }

    /// Whether it may do so at moments that nobody knows.
    var isPolled: Bool { condition.isPolled }

    /// The next time at which it does, if it is known.
    func nextChange(in graph: Graph) -> Date? { condition.nextChange(in: graph) }

    /// Follows changes, and goes to the present time; tells which rows may come or go because of it.
    mutating func follow(_ changes: ChangeSet?, in graph: Graph) -> LiveCondition.Touched {
        if let changes { condition.follow(changes) }
        let touched = condition.move(in: graph)
        compiled.condition = condition.condition
        if case .unknown = touched {
            compiled.readsOthers = condition.dependencies.tables.count > 1
        }
        return touched
    }
}

extension String {
    /// The name of the section of objects that have this computed value.
    fileprivate init(sectionValue value: Any) {
        if let value = value as? any AttributeValue {
            self.init(section: value.datum)
        } else {
            self = String(describing: value)
        }
    }
}
