import Foundation

/// A request compiled for being asked again about single rows.
struct TrackedQuery {
    /// What was compiled.
    var compiled: ResultsQuery
    /// Which rows match.
    private var condition: LiveCondition
    /// Sorts rows by what was not compiled, as their objects are in a graph.
    private let sortObjects: (ContiguousArray<Row>, Graph) -> ContiguousArray<Row>
    /// Asks the objects of a graph for their sections.
    private let labelOfObject: ((Graph) -> (Row) -> SectionLabel)?

    init<Object: ManagedObject>(
        _ request: FetchRequest<Object>, sections rule: SectionRule<Object>?,
        reading keyPaths: [PartialKeyPath<Object>], table: ObjectTable,
        context: ManagedObjectContext
    ) throws(ContextError) {
        let (entity, _) = try GraphReading(context).entity(of: Object.self)
        let keys = try context.sortKeys(request.sortDescriptors)
        // Those that compile: how rare words are is asked once, whatever the other descriptors compare.
        let someKeys: [SortKey?]? =
            keys == nil
            ? request.sortDescriptors.map { (try? context.sortKeys([$0]))?.first } : nil
        // The controller that owns this keeps the context alive.
        sortObjects = { [unowned context] rows, graph in
            GraphReading(context, showing: graph).sorted(
                rows, by: request.sortDescriptors, keys: someKeys, of: entity, first: rows.count)
        }
        let sections = ResultsQuery.Sections(rule, of: context.store.model, in: table.number)
        if let rule, case .opaque = sections {
            labelOfObject = { [unowned context] graph in
                let reading = GraphReading(context, showing: graph)
                return { row in rule.label(reading.object(row, of: entity)) }
            }
        } else {
            labelOfObject = nil
        }
        var operands = (keys ?? []).map(\.operand)
        operands += sections.operands
        operands += keyPaths.compactMap(context.store.model.resolve).flatMap(\.operands)
        condition = try LiveCondition(
            request, reading: operands, table: table, context: context)
        compiled = ResultsQuery(
            table: table.number, condition: condition.condition, keys: keys, sections: sections,
            always: rule?.always ?? [], window: request.window)
        compiled.readsOthers = condition.dependencies.readsOthers
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
            } ?? sortObjects(matches, graph)
        let label = labelOfObject?(graph)
        return RankedRows(
            sorted, compiled, in: graph,
            key: { label?($0).key ?? compiled.section(of: $0, in: graph) },
            label: { label?($0) ?? compiled.label(of: $0, in: graph) })
    }

    /// Tells of rows whether they exist and match.
    func matching(in graph: Graph) -> (Row) -> Bool { condition.matching(in: graph) }

    // MARK: - Time

    /// Whether the condition moves with the time, or with what leads to the rows.
    var isMoving: Bool { condition.isMoving }

    /// Whether it may do so at moments that nobody knows.
    var isPolled: Bool { condition.isPolled }

    /// The next time at which it does, if it is known.
    func nextChange(in graph: Graph) -> Date? { condition.nextChange(in: graph) }

    /// Until when whoever follows it sleeps.
    func alarm(in graph: Graph) -> Date? { condition.alarm(in: graph) }

    /// Follows changes, and goes to the present time; tells which rows may come or go because of it.
    mutating func follow(_ changes: ChangeSet?, in graph: Graph) -> LiveCondition.Touched {
        if let changes { condition.follow(changes) }
        let touched = condition.move(in: graph)
        compiled.condition = condition.condition
        if case .unknown = touched {
            compiled.readsOthers = condition.dependencies.readsOthers
        }
        return touched
    }
}

extension ResultsQuery.Sections {
    /// What makes the sections of a rule, compiled where it reads chains of properties.
    fileprivate init<Object: ManagedObject>(
        _ rule: SectionRule<Object>?, of model: ObjectModel, in table: TableNumber
    ) {
        guard let rule else {
            self = .none
            return
        }
        let operands = rule.keyPaths.compactMap { GroupColumn($0, of: model, in: table)?.operand }
        guard let keyPath = rule.keyPaths.first, let operand = operands.first,
            operands.count == rule.keyPaths.count
        else {
            self = .opaque
            return
        }
        if let making = rule.making {
            self = .made(operands, making)
        } else if case .attribute = operand {
            let type = Swift.type(of: keyPath).valueType as? any AttributeValue.Type
            self = type.map { .operand(operand, of: $0) } ?? .opaque
        } else {
            self = .operand(operand, of: Int.self)
        }
    }
}
