/// What a context has done and not saved.
///
/// - Invariant: Listeners know the graph before the first untold batch, or, without one, after all changes, but
///   while a save is under way that may show another graph.
struct UnsavedWork {
    /// What changed since the last save, as far as it was processed.
    var changes = PendingChanges()
    /// Batches that were processed, and that listeners do not know yet.
    var untold: [ChangeSet] = []
    /// What the changes are based on where others wrote the same.
    var bases: WriteBases
    /// The first change that could not be made, which the next save throws.
    var mistake: ContextError?
    /// The graph that listeners know while a save is under way.
    var told: Graph?

    /// Nothing, in so many tables.
    init(tables: Int) { bases = WriteBases(tables: tables) }

    /// Adds a batch, which listeners are to hear of.
    mutating func append(_ batch: ChangeSet) {
        changes.append(batch)
        // What is as it had followed from other changes is no write that could be in conflict.
        for property in bases.effects.remove(batch) { bases.conflicts[property] = nil }
        untold.append(batch)
    }

    /// Takes the untold batches as one change; `nil` without any.
    mutating func takeUntold() -> ChangeSet? {
        guard let first = untold.first else { return nil }
        defer { forgetUntold() }
        return untold.dropFirst().reduce(first) { $0.merging($1) }
    }

    /// Lets listeners not hear of batches, since they hear of what came of them in another way.
    mutating func forgetUntold() { untold = [] }

    /// Lets the changes be those that were made again on another graph, and that listeners hear of in
    /// another way; by none they are dropped.
    mutating func replace(with changes: ChangeSet? = nil) {
        self.changes = changes.map { PendingChanges($0) } ?? PendingChanges()
        forgetUntold()
    }

    /// Ends what was saved: what listeners do not know of it they are still to hear.
    mutating func endSaved() {
        changes = PendingChanges()
        bases.settleAll()
    }
}

extension UnsavedWork {
    /// What is wrong with what is unsaved, in words; nothing if all is sound.
    var brokenInvariants: [String] { changes.brokenInvariants + bases.brokenInvariants }
}
