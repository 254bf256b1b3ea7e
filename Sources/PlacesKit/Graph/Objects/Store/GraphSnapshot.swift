/// The objects of a store as they were after one save: an immutable value for any thread.
public struct GraphSnapshot: Sendable {
    let store: GraphStore
    let committed: CommittedGraph

    /// The number of saves that the snapshot includes.
    public var commitNumber: Int { committed.number }

    /// The save whose result the snapshot shows: its number, date and author.
    public var commit: Commit { committed.commit }

    /// The schema.
    public var schema: Schema { committed.graph.schema }

    /// Makes a read-only context that shows the snapshot, for the caller's isolation.
    public func context() -> ManagedObjectContext {
        ManagedObjectContext(
            GraphStore(
                model: store.model, graph: committed.graph, isReadOnly: true, now: store.now,
                clock: store.clock))
    }
}
