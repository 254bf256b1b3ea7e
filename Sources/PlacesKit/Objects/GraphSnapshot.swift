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

    /// How many objects of a class the snapshot holds.
    ///
    /// - Throws: `ContextError.unknownClass`.
    public func count(_ type: ManagedObject.Type) throws(ContextError) -> Int {
        guard let table = store.model.classes.firstIndex(where: { $0.type == type }) else {
            throw .unknownClass(String(describing: type))
        }
        return committed.graph.tables[table].count
    }

    /// A context that shows the snapshot, for the caller's isolation; it cannot be saved.
    public func context() -> ManagedObjectContext {
        ManagedObjectContext(
            GraphStore(model: store.model, graph: committed.graph, isReadOnly: true))
    }
}
