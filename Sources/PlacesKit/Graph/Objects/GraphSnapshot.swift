/// The objects of a store as they were at one save: an immutable value for any thread.
public struct GraphSnapshot: Sendable {
    let store: GraphStore
    let committed: CommittedGraph

    /// The number of saves that the snapshot includes.
    public var commitNumber: Int { committed.number }

    /// The commit: its number, when it was made, and by whom.
    public var commit: Commit { committed.commit }

    /// The schema.
    public var schema: Schema { committed.graph.schema }

    /// A context that shows the snapshot, for the caller's isolation; it cannot be saved.
    public func context() -> ManagedObjectContext {
        ManagedObjectContext(
            GraphStore(
                model: store.model, graph: committed.graph, isReadOnly: true, now: store.now,
                clock: store.clock))
    }
}
