/// The objects to which steps along relationships lead from some others, as a condition of a request.
///
/// ```swift
/// var request = FetchRequest<Folder>(sortBy: [SortDescriptor(\.name)])
/// request.reachable = Reachability(from: root, along: \.children)
/// ```
///
/// - The walk takes at least one step and at most ``depth``. It ends where it comes to an object a second time, so
///   cycles do no harm. An object from which it begins counts if steps lead back to it.
/// - It follows every relationship that the class of an object has, so it may lead through objects of other
///   classes: `along: [\Part.connections, \Connection.destination]` leads from parts to parts in two steps.
public struct Reachability<Object: ManagedObject>: Sendable {
    /// The objects from which the walk begins.
    public var origins: Set<ObjectID>
    /// The relationships that it follows.
    public var relationships: [any AnyKeyPath & Sendable]
    /// How many steps it takes at most; `nil` for any number.
    public var depth: Int?

    /// Describes a walk that begins at an object.
    public init(
        from origin: ManagedObject, along relationships: any PartialKeyPath<Object> & Sendable...,
        depth: Int? = nil
    ) {
        self.init(from: [origin.objectID], along: relationships, depth: depth)
    }

    /// Describes a walk that begins at some objects and may lead through several classes.
    public init(
        from origins: Set<ObjectID>, along relationships: [any AnyKeyPath & Sendable],
        depth: Int? = nil
    ) {
        self.origins = origins
        self.relationships = relationships
        self.depth = depth
    }
}

extension ManagedObjectContext {
    /// Fetches the objects to which steps along relationships lead from an object, nearest first.
    ///
    /// ```swift
    /// for folder in try context.reachable(from: root, along: \.children) { print(folder.name) }
    /// let circle = try context.reachable(from: ann, along: \.friends, depth: 3)
    /// ```
    /// The object itself is among them if steps lead back to it. To combine this with a predicate or to keep it
    /// live in a controller, see ``FetchRequest/reachable``.
    ///
    /// - Parameters:
    ///   - origin: The object from which the walk begins.
    ///   - relationships: The relationships that it follows.
    ///   - depth: How many steps it takes at most; any number by default.
    /// - Returns: The objects, each once.
    /// - Throws: `ContextError.notAProperty` for a key path that leads to no relationship, or
    ///   `ContextError.unknownClass`.
    /// - Complexity: O(n) in the number of links that are followed.
    public func reachable<Object: ManagedObject>(
        from origin: Object, along relationships: any PartialKeyPath<Object> & Sendable...,
        depth: Int? = nil
    ) throws(ContextError) -> FetchedResults<Object> {
        try reachable(
            Reachability(from: [origin.objectID], along: relationships, depth: depth))
    }

    /// Fetches the objects to which a walk leads, nearest first.
    ///
    /// - Throws: `ContextError.notAProperty` for a key path that leads to no relationship, or
    ///   `ContextError.unknownClass`.
    /// - Complexity: O(n) in the number of links that are followed.
    public func reachable<Object: ManagedObject>(
        _ walk: Reachability<Object>
    ) throws(ContextError) -> FetchedResults<Object> {
        let table = try table(of: Object.self)
        let way = try ReachedRows(walk, of: store.model)
        let (graph, isWholeTable) = (transaction.graph, table.entityLayout.isWholeTable)
        var rows = way.rows(in: graph)
        // A link may lead to an object that is deleted, and whose delete a save will refuse.
        rows.removeAll {
            !graph.contains($0, in: table.number) || !isWholeTable && !table.holds($0)
        }
        return FetchedResults(
            rows: rows, table: table, context: self,
            lifetime: fork.committed.graph.lifetime)
    }
}

/// What a reachability means in a model: the rows that it leads to, in any graph.
struct ReachedRows: Sendable {
    private let origins: [(table: TableNumber, id: ObjectID)]
    private let relationships: [FollowedRelationship]
    private let depth: Int
    private let table: TableNumber

    init<Object: ManagedObject>(
        _ walk: Reachability<Object>, of model: ObjectModel
    ) throws(ContextError) {
        guard let entity = model.number(of: Object.self) else {
            throw .unknownClass(String(describing: Object.self))
        }
        table = model.layout.entities[entity].table
        depth = walk.depth ?? .max
        origins = walk.origins.compactMap { id in
            model.layout.entity(of: id).map { ($0.table, id) }
        }
        var relationships: [FollowedRelationship] = []
        for keyPath in walk.relationships {
            relationships.append(try model.relationship(keyPath))
        }
        self.relationships = relationships
    }

    /// The rows, nearest first.
    func rows(in graph: Graph) -> ContiguousArray<Row> {
        let starts = origins.compactMap { origin in
            graph.row(of: origin.id, in: origin.table).map { (table: origin.table, row: $0) }
        }.filter { graph.contains($0.row, in: $0.table) }
        return graph.rowsReached(from: starts, along: relationships, depth: depth, in: table)
    }

    /// The rows as a set.
    func set(in graph: Graph) -> RowSet {
        var set = RowSet(chunks: graph.tables[table].chunkCount)
        for row in rows(in: graph) { set.insert(row) }
        return set
    }

    /// Whether a change may let the walk lead elsewhere.
    func isConcerned(by changes: ChangeSet) -> Bool {
        relationships.flatMap { ends(of: $0, in: changes.after.layout) }.contains { end in
            changes.tables[end.table].updated.contains {
                changes.hasChanged($0, end.column, in: end.table)
            }
        }
            || (relationships.map(\.table) + [table]).contains { table in
                !changes.tables[table].inserted.isEmpty || !changes.tables[table].deleted.isEmpty
            }
    }

    /// The end that tells of a relationship's changes; also the other one if a rule lets deleted objects keep
    /// links, for they are not among the changes when these go.
    private func ends(
        of relationship: FollowedRelationship, in layout: GraphLayout
    ) -> [ColumnAddress] {
        let end = ColumnAddress(table: relationship.table, column: relationship.slot)
        guard layout.denials.contains(end) else { return [end] }
        let inverse = layout.tables[end.table].relationships[end.column]?.inverse
        return [end, inverse].compactMap(\.self)
    }
}

extension ObjectModel {
    /// The relationship to which a key path leads from a class of the model.
    fileprivate func relationship(_ keyPath: AnyKeyPath) throws(ContextError)
        -> FollowedRelationship
    {
        let root = type(of: keyPath).rootType as? ManagedObject.Type
        guard let root, let entity = number(of: root) else {
            throw .unknownClass("\(type(of: keyPath).rootType)")
        }
        let table = layout.entities[entity].table
        guard case .property(let path)? = resolve(keyPath), path.count == 1,
            layout.tables[table].relationships[path[0]] != nil
        else { throw .notAProperty(entity: layout.entities[entity].name, keyPath: "\(keyPath)") }
        return FollowedRelationship(table: table, slot: path[0])
    }
}
