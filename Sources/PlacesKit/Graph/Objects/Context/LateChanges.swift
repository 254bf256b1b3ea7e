/// What hooks changed while a save was checked, which is none of the changes that it saves.
///
/// A save that others overtake begins again without these; they come back, as pending changes, when it is over.
struct LateChanges {
    /// Batches in the order in which they were made, and what keeps the rows of their objects theirs meanwhile.
    private var batches: [(changes: ChangeSet, rows: HeldRows?)] = []

    var isEmpty: Bool { batches.isEmpty }

    /// Takes what is noted in a transaction; returns the graph without it, if there is anything.
    ///
    /// The transaction goes on showing it until it is reset.
    mutating func take(from transaction: Transaction, of rows: RowAllocator) -> Graph? {
        guard transaction.hasNotes else { return nil }
        let changes = transaction.takeChanges()
        batches.append((changes, HeldRows(changes, of: rows)))
        return changes.before
    }

    /// Makes the changes again on what a transaction shows now.
    mutating func comeBack(to transaction: Transaction) {
        for batch in batches { transaction.apply(Replay(batch.changes)) }
        batches = []
    }
}
