import Foundation

/// A request compiled for being asked again about single rows.
struct TrackedQuery {
    /// Which rows a change concerns.
    enum Touched {
        case none
        case these(Set<Int32>)
        /// Any row may be; those of the entity that changed themselves are given.
        case unknown(Set<Int32>)
    }

    private let table: Int
    private let condition: Condition
    private let keys: [SortKey]?
    private let dependencies: QueryDependencies
    /// Asks the object of a row what was not compiled.
    private let evaluate: (Int32) -> Bool
    /// Sorts rows by what was not compiled.
    private let sortObjects: (ContiguousArray<Int32>) -> ContiguousArray<Int32>
    /// The operand that names a row's section, or what asks the object.
    private let sectionOperand: Operand?
    private let sectionOfObject: ((Int32) -> String)?

    init<Object: ManagedObject>(
        _ request: FetchRequest<Object>, section: PartialKeyPath<Object>?, table: ObjectTable,
        context: ManagedObjectContext
    ) throws(ContextError) {
        self.table = table.number
        condition = try GraphReading(context).condition(of: request)
        keys = context.sortKeys(request.sortDescriptors)
        // The controller that owns this keeps the context alive, and through it the table.
        evaluate = { [unowned context, unowned table] row in
            context.evaluate(
                request.predicates(at: context.store.now()), row, in: table)
        }
        sortObjects = { [unowned table] rows in
            let objects = rows.map { unsafeDowncast(table.object($0), to: Object.self) }
            return ContiguousArray(
                objects.sorted(using: request.sortDescriptors).map(\.row))
        }
        let graph = context.transaction.graph
        switch section.map(context.store.model.resolve) {
        case .none: (sectionOperand, sectionOfObject) = (nil, nil)
        case .property(let path)??:
            sectionOperand =
                graph.isToOne(path, in: table.number) ? .identity(path) : .attribute(path)
            sectionOfObject = nil
        case .count(let path)??: (sectionOperand, sectionOfObject) = (.count(path), nil)
        case .identity(let path)??: (sectionOperand, sectionOfObject) = (.identity(path), nil)
        case .some(nil):
            sectionOperand = nil
            sectionOfObject = { [unowned table] row in
                let object = unsafeDowncast(table.object(row), to: Object.self)
                return section.map { String(sectionValue: object[keyPath: $0]) } ?? ""
            }
        }
        dependencies = QueryDependencies(
            condition, (keys ?? []).map(\.operand) + (sectionOperand.map { [$0] } ?? []),
            table: table.number, graph: graph)
    }

    /// Whether something was not compiled, so that what it depends on is not known.
    private var isOpaque: Bool {
        condition.isOpaque || keys == nil || sectionOfObject != nil
    }

    /// The rows that a change concerns.
    func rows(touchedBy changes: ChangeSet) -> Touched {
        let own = changes.tables[table]
        var rows = Set(own.inserted)
        rows.formUnion(own.deleted)
        for update in own.updated { rows.insert(update.row) }
        if isOpaque { return changes.isEmpty ? .none : .unknown(rows) }
        dependencies.insertRows(touchedBy: changes, into: &rows)
        return rows.isEmpty ? .none : .these(rows)
    }

    /// All matching rows in order.
    func fetch(from graph: Graph) -> ResultsTracker.Rows {
        let rows = sort(
            graph.fetchRows(condition, in: table, opaque: evaluate), in: graph)
        return ResultsTracker.Rows(
            rows: rows, sections: ContiguousArray(rows.map { section(of: $0, in: graph) }))
    }

    /// Whether a row exists and matches.
    func matches(_ row: Int32, in graph: Graph) -> Bool {
        graph.contains(row, in: table)
            && graph.matches(condition, row, in: table, opaque: evaluate)
    }

    /// Rows in ascending order, brought into the order of the request.
    func sort(_ rows: ContiguousArray<Int32>, in graph: Graph) -> ContiguousArray<Int32> {
        keys.map { graph.sorted(rows, by: $0, in: table, first: rows.count) } ?? sortObjects(rows)
    }

    /// Whether a row comes before another.
    func precedes(_ first: Int32, _ second: Int32, in graph: Graph) -> Bool {
        graph.precedes(first, second, by: keys ?? [], in: table)
    }

    /// The name of a row's section.
    func section(of row: Int32, in graph: Graph) -> String {
        if let sectionOfObject { return sectionOfObject(row) }
        guard let sectionOperand else { return "" }
        if case .identity(let path) = sectionOperand {
            return graph.follow(path[...], from: row, in: table).map { row, table in
                graph.objectID(row, in: table).description
            } ?? ""
        }
        return String(section: graph.value(of: sectionOperand, row, in: table))
    }
}

extension String {
    /// The name of the section of objects that have this value.
    fileprivate init(section value: Datum) {
        switch value {
        case .null: self = ""
        case .string(let text): self = text
        case .boolean, .integer, .unsigned, .decimal, .double, .date, .uuid, .data:
            self = value.description
        }
    }

    /// The name of the section of objects that have this computed value.
    fileprivate init(sectionValue value: Any) {
        if let value = value as? any AttributeValue {
            self.init(section: value.datum)
        } else {
            self = String(describing: value)
        }
    }
}
