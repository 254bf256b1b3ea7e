import PlacesBase

/// Reads identifiers, values, counts and groups of objects: a context, a snapshot or a store.
///
/// ```swift
/// let titles = try context.values(of: \Photo.title, \.takenAt?.name)
/// let regions = try await store.read { try $0.groups(GroupRequest(by: \Photo.region, .count)) }
/// ```
///
/// - A context answers with its unsaved changes, a snapshot with what it holds, and a store with
///   what was saved last.
/// - PlacesKit evaluates key paths and predicates on columns if they are chains of managed
///   properties. For any others it reads the objects.
public protocol GraphReader {
    /// Takes a snapshot of what the reader shows now, as a value that any thread may read.
    ///
    /// - Complexity: O(1).
    func snapshot() -> GraphSnapshot
}

extension GraphStore: GraphReader {}

extension GraphSnapshot: GraphReader {
    /// Returns the snapshot itself.
    public func snapshot() -> GraphSnapshot { self }
}

extension ManagedObjectContext: GraphReader {
    /// Takes a snapshot of what the context shows now, unsaved changes included.
    ///
    /// Any thread may read it.
    ///
    /// - Complexity: O(1).
    public func snapshot() -> GraphSnapshot {
        GraphSnapshot(
            store: store,
            committed: CommittedGraph(graph: transaction.freeze(), commit: fork.committed.commit))
    }
}

extension GraphReader {
    /// Reads from a snapshot off the caller's actor.
    ///
    /// ```swift
    /// let count = try await context.read { try $0.count(request) }
    /// ```
    ///
    /// The snapshot is taken before the call suspends, so it has no changes that happen meanwhile.
    ///
    /// - Parameter body: Reads from the snapshot.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws.
    public nonisolated(nonsending) func read<Answer: Sendable>(
        _ body: @Sendable (GraphSnapshot) throws -> Answer
    ) async throws -> Answer {
        let snapshot = snapshot()
        return try await elsewhere { try body(snapshot) }
    }

    /// The way to the graph: for a context that which it changes, and no copy.
    var reading: GraphReading {
        (self as? ManagedObjectContext).map { GraphReading($0) } ?? GraphReading(snapshot())
    }
}
