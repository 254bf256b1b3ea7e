import Foundation

/// A request compiled for being asked again about single rows.
struct TrackedQuery {
    /// What was compiled.
    var compiled: ResultsQuery
    /// What is read of other tables.
    let dependencies: QueryDependencies
    /// Asks the object of a row what was not compiled.
    private let evaluate: (Int32) -> Bool
    /// Sorts rows by what was not compiled.
    private let sortObjects: (ContiguousArray<Int32>) -> ContiguousArray<Int32>
    /// Asks the object of a row for the name of its section.
    private let sectionOfObject: ((Int32) -> String)?

    init<Object: ManagedObject>(
        _ request: FetchRequest<Object>, section: PartialKeyPath<Object>?, table: ObjectTable,
        context: ManagedObjectContext
    ) throws(ContextError) {
        // The controller that owns this keeps the context alive, and through it the table.
        evaluate = { [unowned context, unowned table] row in
            context.evaluate(request.predicate, row, in: table)
        }
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
        compiled = ResultsQuery(
            table: table.number, condition: try GraphReading(context).condition(of: request),
            keys: context.sortKeys(request.sortDescriptors), sections: sections,
            window: request.window)
        var operands = (compiled.keys ?? []).map(\.operand)
        if case .operand(let operand) = sections { operands.append(operand) }
        dependencies = QueryDependencies(
            compiled.condition, operands, table: table.number, layout: graph.layout)
        compiled.readsOthers = dependencies.tables.count > 1
    }

    /// All matching rows in order, those in the window in their sections.
    ///
    /// - Complexity: O(n log n).
    func fetch(from graph: Graph) -> RankedRows {
        let matches = graph.fetchRows(compiled.condition, in: compiled.table, opaque: evaluate)
        let sorted =
            compiled.keys.map {
                graph.sorted(matches, by: $0, in: compiled.table, first: matches.count)
            } ?? sortObjects(matches)
        return RankedRows(sorted, compiled, in: graph) { row in
            sectionOfObject?(row) ?? compiled.section(of: row, in: graph)
        }
    }

    /// Whether a row exists and matches.
    func matches(_ row: Int32, in graph: Graph) -> Bool {
        graph.contains(row, in: compiled.table)
            && graph.matches(compiled.condition, row, in: compiled.table, opaque: evaluate)
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
