import Foundation

/// A graph that requests are answered from, and the way to its objects.
final class GraphReading {
    let graph: Graph
    let model: ObjectModel
    /// The time for which requests are answered.
    let now: Date
    /// The context of the objects that are asked what was not compiled.
    private(set) lazy var context = makeContext()
    private let makeContext: () -> ManagedObjectContext

    init(_ snapshot: GraphSnapshot) {
        graph = snapshot.committed.graph
        model = snapshot.store.model
        now = snapshot.store.now()
        makeContext = snapshot.context
    }

    /// Reads what a context shows; good until the context changes.
    init(_ context: ManagedObjectContext) {
        // A copy, for computed properties that are asked may change the context.
        graph = context.transaction.graph
        model = context.store.model
        now = context.store.now()
        makeContext = { context }
    }

    /// Reads what a context showed when its graph was this one, at a time; good until the context changes.
    init(_ context: ManagedObjectContext, showing graph: Graph, at now: Date? = nil) {
        self.graph = graph
        model = context.store.model
        self.now = now ?? context.store.now()
        makeContext = { context.showing(graph) }
    }

    /// Where the objects of a class lie.
    func entity(of type: ManagedObject.Type) throws(ContextError) -> (number: Int, EntityLayout) {
        guard let number = model.number(of: type) else {
            throw .unknownClass(String(describing: type))
        }
        return (number, model.layout.entities[number])
    }

    /// The object of a row.
    func object<Object: AnyObject>(_ row: Row, of entity: Int) -> Object {
        unsafeDowncast(context.state.tables[entity].object(row), to: Object.self)
    }

    // MARK: - Compiling

    /// The condition that a predicate stands for.
    func condition<Object: ManagedObject>(
        _ predicate: Predicate<Object>?, of entity: EntityLayout
    ) -> Condition {
        let objects = Condition.objects(of: entity)
        guard let predicate else { return objects }
        return .every([objects, compiled(predicate, of: entity)])
    }

    /// What a predicate says of the objects of an entity.
    func compiled<Object: ManagedObject>(
        _ predicate: Predicate<Object>, of entity: EntityLayout
    ) -> Condition {
        PredicateCompiler.compile(predicate, in: entity.table, of: graph, resolver: model)
    }

    /// The condition that a request stands for, at another time than the reading's if one is given.
    func condition<Object: ManagedObject>(
        of request: FetchRequest<Object>, at time: Date? = nil
    ) throws(ContextError) -> Condition {
        let now = time ?? now
        let (number, entity) = try entity(of: request.objectClass)
        var conditions = [Condition.objects(of: entity)]
        if let predicate = request.predicate { conditions.append(compiled(predicate, of: entity)) }
        if let predicate = request.timedPredicate {
            conditions.append(compiled(predicate(now), of: entity))
        }
        if let walk = request.reachable {
            conditions.append(.rows(try ReachedRows(walk, of: model).set(in: graph)))
        }
        if let search = request.search { conditions.append(try self.condition(search, of: number)) }
        if request.format == nil, request.searchFormat == nil, request.compound == nil {
            return .every(conditions)
        }
        let formats = [request.format, request.searchFormat].compactMap(\.self)
        do throws(PredicateFormatError) {
            var parts = [Condition.objects(of: entity)]
            for format in formats {
                parts.append(
                    try FormatCompiler.compile(format, of: number, in: graph, now: now))
            }
            if let compound = request.compound {
                parts.append(try condition(compound, of: number, at: now))
            }
            return .every(parts + [.every(conditions)])
        } catch {
            throw .malformedPredicate(error)
        }
    }

    /// Asks the objects of rows; one that makes a predicate throw does not match.
    func evaluation<Object: ManagedObject>(
        of request: FetchRequest<Object>, of entity: Int
    ) -> (Row) -> Bool {
        lazy var predicates = request.predicates(at: now).map(CarefulPredicate.init)
        lazy var compound = request.compound.map { evaluation(of: $0, of: entity) }
        return { row in
            self.context.evaluate(predicates, row, in: self.context.state.tables[entity])
                && compound?(row) ?? true
        }
    }

    /// What a request compiles to; not `counted` for whoever knows what its order counts over all objects.
    func query<Object: ManagedObject>(
        of request: FetchRequest<Object>, counted: Bool = true
    ) throws(ContextError) -> CompiledRequest {
        let (number, entity) = try entity(of: request.objectClass)
        return CompiledRequest(
            entity: number, table: entity.table, condition: try condition(of: request),
            keys: try model.sortKeys(request.sortDescriptors, in: counted ? graph : nil),
            window: request.window)
    }

    // MARK: - Rows

    /// The rows of the objects that a request describes, in its order.
    func rows<Object: ManagedObject>(
        of request: FetchRequest<Object>
    ) throws(ContextError) -> ContiguousArray<Row> {
        let query = try query(of: request)
        var planner = QueryPlanner(graph)
        var run = QueryRun(graph)
        return try rows(of: query, request, query.plan(&planner), &run)
    }

    /// The rows that a plan gives for a request, in its order.
    func rows<Object: ManagedObject>(
        of query: CompiledRequest, _ request: FetchRequest<Object>, _ plan: QueryPlan,
        _ run: inout QueryRun
    ) throws(ContextError) -> ContiguousArray<Row> {
        var rows = try PatternBudget.limiting {
            run.rows(plan, opaque: evaluation(of: request, of: query.entity))
        }
        if query.keys == nil {
            rows = sorted(
                rows, by: request.sortDescriptors, of: query.entity,
                first: query.window.upperBound)
        }
        let window = query.window.clamped(to: rows.indices)
        return window == rows.indices ? rows : ContiguousArray(rows[window])
    }

    /// How many objects a request describes.
    func count<Object: ManagedObject>(_ request: FetchRequest<Object>) throws(ContextError) -> Int {
        let (number, entity) = try entity(of: request.objectClass)
        let condition = try condition(of: request)
        let count = try PatternBudget.limiting {
            graph.countRows(
                condition, in: entity.table, opaque: evaluation(of: request, of: number))
        }
        return request.window.clamped(to: 0..<count).count
    }

    /// Whether a request describes any object.
    func exists<Object: ManagedObject>(
        _ request: FetchRequest<Object>
    ) throws(ContextError) -> Bool {
        guard request.window.lowerBound == 0, !request.window.isEmpty else {
            return try count(request) > 0
        }
        let (number, entity) = try entity(of: request.objectClass)
        var planner = QueryPlanner(graph, choices: [.sensible, .existence])
        var run = QueryRun(graph)
        let plan = planner.plan(try condition(of: request), in: entity.table)
        return try PatternBudget.limiting {
            run.isAny(plan, opaque: evaluation(of: request, of: number))
        }
    }

    /// The first rows in the order of descriptors that compare more than properties.
    ///
    /// - Parameters:
    ///   - rows: The rows.
    ///   - descriptors: The order.
    ///   - keys: By the descriptor what it compares, `nil` for one that compares more than a property; made here
    ///     unless somebody has them.
    ///   - entity: The number of the entity of the rows' objects.
    ///   - limit: How many are needed.
    /// - Returns: The rows that come first.
    func sorted<Object: ManagedObject>(
        _ rows: ContiguousArray<Row>, by descriptors: [SortDescriptor<Object>],
        keys: [SortKey?]? = nil, of entity: Int, first limit: Int
    ) -> ContiguousArray<Row> {
        let objects: [Object] = rows.map { object($0, of: entity) }
        let table = model.layout.entities[entity].table
        // Those after the first are asked about ties alone, and there may be none.
        let orders = descriptors.enumerated().map { index, descriptor in
            lazily {
                let key: SortKey? =
                    keys.map { $0[index] }
                    ?? (try? self.model.sortKeys([descriptor], in: self.graph))?.first
                return key.map { self.columnOrder(of: rows, in: table, by: $0) }
                    ?? descriptor.order(of: objects)
            }
        }
        let order = ContiguousArray(objects.indices)
            .smallest(Swift.min(limit, rows.count)) { first, second in
                orders.precedes(first, second) { $0(first, second) }
            }
        return ContiguousArray(order.map { rows[$0] })
    }

    /// How some rows, given by their positions, compare by a property.
    private func columnOrder(
        of rows: ContiguousArray<Row>, in table: TableNumber, by key: SortKey
    ) -> (Int, Int) -> ComparisonResult {
        let values = rows.map(graph.values(of: key.operand, in: table))
        return { key.order(values[$0], values[$1]) }
    }
}

/// An order that is made when it is asked for first.
private func lazily(
    _ make: @escaping () -> (Int, Int) -> ComparisonResult
) -> (Int, Int) -> ComparisonResult {
    var order: ((Int, Int) -> ComparisonResult)?
    return { first, second in
        if order == nil { order = make() }
        return order.unsafelyUnwrapped(first, second)
    }
}

extension SortDescriptor {
    /// How some objects, given by their positions, compare.
    ///
    /// Values with an order of their own are read once, and what is not a number comes after all that is.
    fileprivate func order(of objects: [Compared]) -> (Int, Int) -> ComparisonResult {
        if stringComparator == nil, let keyPath {
            let type = type(of: keyPath).valueType
            let value = unwrapped(type)
            if let value = value as? any Comparable.Type,
                let comparison = comparison(of: objects, by: keyPath, as: value)
            {
                return comparison.compare
            }
        }
        return { compare(objects[$0], objects[$1]) }
    }

    private func comparison<Value: Comparable>(
        of objects: [Compared], by keyPath: PartialKeyPath<Compared>, as type: Value.Type
    ) -> GroupComparison? {
        if let keyPath = keyPath as? KeyPath<Compared, Value> {
            return GroupComparison(objects.map { $0[keyPath: keyPath] }, order)
        }
        return (keyPath as? KeyPath<Compared, Value?>).map { keyPath in
            GroupComparison(objects.map { $0[keyPath: keyPath] }, order)
        }
    }
}

extension ManagedObjectContext {
    /// The context whose objects are as in a graph that this one shows or showed: itself, unless it was
    /// changed since.
    ///
    /// While some listeners hear of a change others may change the objects again. Whoever reads objects to
    /// follow the first change must not see the second, of which he hears only if anything of it remains.
    fileprivate func showing(_ graph: Graph) -> ManagedObjectContext {
        let isShown = !transaction.hasNotes && transaction.base.writer == graph.writer
        guard !isShown else { return self }
        let committed = CommittedGraph(graph: graph, commit: fork.committed.commit)
        return GraphSnapshot(store: store, committed: committed).context()
    }
}

extension ObjectModel {
    /// The sort keys of some descriptors, or `nil` where one compares more than properties.
    ///
    /// What an order depends on besides the rows, as how rare words are, is that of a graph, if there is one.
    ///
    /// - Throws: `ContextError.notText` for an order by relevance in what is no text.
    func sortKeys<Object: ManagedObject>(
        _ descriptors: [SortDescriptor<Object>], in graph: Graph?
    ) throws(ContextError) -> [SortKey]? {
        var keys: [SortKey]? = []
        for descriptor in descriptors {
            guard let keyPath = descriptor.keyPath, var key = try sortKey(keyPath, descriptor)
            else {
                keys = nil
                continue
            }
            if descriptor.order == .reverse { key.isAscending.toggle() }
            keys?.append(key)
        }
        guard let graph else { return keys }
        return keys?.counted(in: graph)
    }

    /// The key of a descriptor, as if its order were `.forward`.
    private func sortKey<Object>(
        _ keyPath: PartialKeyPath<Object>, _ descriptor: SortDescriptor<Object>
    ) throws(ContextError) -> SortKey? {
        guard isOrderedValue(type(of: keyPath).valueType) else {
            return resolve(keyPath).flatMap { SortKey($0, keyPath, descriptor) }
        }
        return try (Prototypes.example(of: keyPath) as? any OrderedValue)?.sortKey(self)
    }
}

extension SortKey {
    /// The key of a descriptor over a property, as if its order were `.forward`.
    fileprivate init?<Object>(
        _ resolved: ResolvedKeyPath, _ keyPath: PartialKeyPath<Object>,
        _ descriptor: SortDescriptor<Object>
    ) {
        guard let operand = resolved.sorted else { return nil }
        self.init(operand: operand, isAscending: true)
        let type = type(of: keyPath).valueType
        if var comparator = descriptor.stringComparator {
            comparator.order = .forward
            self.comparator = ValueComparator(comparator: comparator)
        } else if !isOrderedAsStored(type) {
            let value = unwrapped(type)
            guard let type = value as? any (AttributeValue & Comparable).Type else { return nil }
            comparator = type.ownComparator
        }
    }
}

extension ResolvedKeyPath {
    /// What rows can be sorted by: an attribute or a number of members.
    var sorted: Operand? {
        switch self {
        case .property(let path): .attribute(path)
        case .count(let path): .count(path)
        case .identity, .composite: nil
        }
    }
}
