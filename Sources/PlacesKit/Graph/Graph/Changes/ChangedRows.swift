import Synchronization

/// What a change did to a row.
enum RowChange {
    case inserted
    case updated(PropertyMask)
    case deleted
}

/// Finds what a change did to single rows of its tables.
///
/// Whoever asks for one row is answered by looking through the changes of its table; where somebody asks
/// again, there may be many, and a dictionary is made for them.
final class ChangedRows: Sendable {
    private struct Known {
        var isAsked = false
        var changes: [Row: RowChange]?
    }

    private let known = Mutex<[TableNumber: Known]>([:])

    /// What happened to a row of a table; `nil` for nothing.
    ///
    /// - Complexity: O(1) on average; O(n) for n changed rows of the table at the first two calls.
    func change(of row: Row, in table: TableNumber, _ changes: TableChanges) -> RowChange? {
        known.withLock { known in
            guard known[table]?.isAsked == true else {
                known[table] = Known(isAsked: true)
                return changes.change(of: row)
            }
            if let found = known[table]?.changes { return found[row] }
            let found = changes.byRow
            known[table]?.changes = found
            return found[row]
        }
    }
}

extension TableChanges {
    /// What happened to a row; `nil` for nothing.
    fileprivate func change(of row: Row) -> RowChange? {
        if deleted.contains(row) { return .deleted }
        if inserted.contains(row) { return .inserted }
        return updated.first { $0.row == row }.map { .updated($0.changes) }
    }

    /// What happened to each row that changed.
    fileprivate var byRow: [Row: RowChange] {
        var changes: [Row: RowChange] = [:]
        changes.reserveCapacity(count)
        for update in updated { changes[update.row] = .updated(update.changes) }
        for row in inserted { changes[row] = .inserted }
        for row in deleted { changes[row] = .deleted }
        return changes
    }
}
