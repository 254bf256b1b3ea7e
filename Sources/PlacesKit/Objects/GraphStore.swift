import Synchronization

/// Holds the committed graph of a model, for any number of contexts.
///
/// ```swift
/// let store = try GraphStore(model: [Photo.self, Place.self])
/// let context = ManagedObjectContext(store)
/// ```
public final class GraphStore: Sendable {
    /// The classes and their schema.
    public let model: ObjectModel
    let rows: RowAllocator
    /// Whether saves are refused.
    let isReadOnly: Bool
    /// Who waits for commits.
    let feed = CommitFeed()
    private let committed: Mutex<CommittedGraph>

    /// Makes a store without objects.
    ///
    /// - Throws: A `SchemaError` that names the class and the property.
    public convenience init(model types: [ManagedObject.Type]) throws(SchemaError) {
        let model = try ObjectModel(types)
        self.init(model: model, graph: Graph(layout: GraphLayout(schema: model.schema)))
    }

    /// Makes a store over a graph of the model's schema.
    init(model: ObjectModel, graph: Graph, isReadOnly: Bool = false) {
        self.model = model
        self.isReadOnly = isReadOnly
        rows = RowAllocator(tables: graph.tables.count)
        for table in graph.tables.indices {
            rows.reserve(below: graph.tables[table].upperBound, in: table)
        }
        committed = Mutex(CommittedGraph(graph: graph, number: 0))
    }

    /// The committed graph.
    var head: CommittedGraph { committed.withLock { $0 } }

    /// The number of saves so far.
    public var commitNumber: Int { head.number }

    /// The committed graph as a value that any thread may read, for as long as it likes.
    ///
    /// - Complexity: O(1).
    public func snapshot() -> GraphSnapshot { GraphSnapshot(store: self, committed: head) }

    /// Publishes the graph after some changes, unless somebody published another since `base`; returns what is committed
    /// then.
    func commit(_ changes: ChangeSet, onto base: CommittedGraph) -> CommittedGraph? {
        committed.withLock { current in
            guard current.number == base.number else { return nil }
            current = CommittedGraph(graph: changes.after, number: current.number + 1)
            // Under the lock, so that everybody hears of commits in their order.
            feed.publish(
                StoreCommit(number: current.number, objects: ObjectChanges(changes: changes)))
            return current
        }
    }
}

/// A graph that was committed, and by which save.
struct CommittedGraph: Sendable {
    var graph: Graph
    var number: Int
}
