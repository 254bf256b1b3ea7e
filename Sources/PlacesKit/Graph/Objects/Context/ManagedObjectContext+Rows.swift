/// The rows of objects that are gone are used again, when nobody can mean those objects by them.
extension ManagedObjectContext {
    /// Lets the context be based on another commit, and holds the rows of objects of which there are handles,
    /// and which others' graphs have no more since.
    func base(on commit: CommittedGraph, isOwn: Bool = false) {
        let former = fork.committed.graph
        fork.move(to: commit, isOwn: isOwn)
        if parent != nil {
            // What a parent deletes is in no lifetime before it is saved.
            for table in transaction.entityTables {
                commit.graph.forEachRow(lostSince: former, in: table) {
                    state.tables[table].holdRow(of: $0)
                }
            }
        }
        guard let old = former.lifetime, let lifetime = commit.graph.lifetime, old !== lifetime
        else { return }
        old.forEachRetired(before: lifetime) { address in
            state.tables[address.table].holdRow(of: address.row)
        }
    }

    /// Holds the rows of objects that were never saved and are gone again, of which there are handles: no other graph has
    /// their values.
    ///
    /// - Complexity: O(k) for k objects that were inserted since the last save.
    func holdUndoneRows() {
        let fresh = transaction.suppliedRows.fresh
        for table in fresh.tableNumbers {
            for use in fresh[table] where !transaction.contains(use.row, in: table) {
                state.tables[table].holdRow(of: use.row)
            }
        }
    }

    /// Holds the rows of objects that some changes delete and of which there are handles: the parent has other values of
    /// them.
    ///
    /// - Complexity: O(k) for k deleted objects.
    func holdRows(deletedBy changes: ChangeSet) {
        for table in changes.tables.tableNumbers {
            for row in changes.tables[table].deleted { state.tables[table].holdRow(of: row) }
        }
    }

    /// Lets objects end that are gone and that nobody else holds, now that the context is whole: when one ends its class may
    /// change the context, or save.
    func endLostObjects() {
        guard hooks.pointee.asking == nil, !isHeld else { return }
        let lost = state.lostRows
        state.lostRows = []
        for address in lost { state.tables[address.table].releaseKept(address.row) }
    }

    /// Lets objects that were gone already read as they did in the graph that was shown, whatever others have
    /// written before they deleted them, too.
    ///
    /// Of a parent's deletes those count as well that a rule forbids: their links are kept, so that others are found by
    /// the values, also where nobody has a handle.
    ///
    /// - Parameters:
    ///   - shown: The graph. In the one that is shown now nothing is noted.
    ///   - denials: The rows that were known to be deleted against a rule when that graph was shown.
    ///   - isRolledBack: Whether objects that were never saved have their defaults from now on.
    /// - Complexity: O(k) for k rows that the graph which is shown now has with other values.
    func keepLastValues(
        from shown: Graph, _ denials: DeniedDeletes, isRolledBack: Bool = false
    ) {
        var rows = state.heldRows
        for (table, row) in transaction.parentDenials.rows where denials.contains(row, in: table) {
            rows[table, default: []].insert(row)
        }
        guard !rows.isEmpty else { return }
        for (table, rows) in rows {
            transaction.keepLastValues(
                of: rows, from: shown, in: table, isRolledBack: isRolledBack)
        }
        // Neither the values nor what follows from them are changes that could be saved, and whoever is told sees them.
        _ = transaction.takeChanges()
    }

    /// Clears the values of rows that nobody means any more, as part of the changes that are about to be
    /// saved.
    ///
    /// Where the store has more than the changes stand on, they are to be made again: whoever does that calls this
    /// then, for what was cleared before would be lost.
    func clearEndedRows() {
        guard parent == nil, transaction.hasNotes || !unsaved.changes.isEmpty,
            head.number == fork.committed.number
        else { return }
        let rows = store.rows.takeEnded()
        guard !rows.isEmpty else { return }
        transaction.clear(rows)
        if !transaction.hasNotes, !unsaved.changes.isUnset {
            unsaved.changes.append(transaction.takeChanges())
        }
    }

    /// Ends the care for rows whose objects are saved now, and gives up those whose objects came to nothing.
    ///
    /// - Returns: The latter.
    @discardableResult
    func giveUpRows() -> [RowAddress] {
        guard !transaction.suppliedRows.isEmpty else { return [] }
        transaction.suppliedRows.settle(in: fork.committed.graph)
        // Before any is given up, for an object that ends may insert others, and roll back.
        for address in transaction.suppliedRows.addresses
        where !transaction.contains(address.row, in: address.table) {
            state.tables[address.table].releaseKept(address.row)
        }
        let given = transaction.suppliedRows.giveUp { row, table in
            transaction.contains(row, in: table) || state.tables[table].handle(row) != nil
        }
        store.retire(given.fresh, releasing: given.reclaimed)
        return given.fresh.map(\.address) + given.reclaimed
    }

    /// Gives up the rows of objects that came to nothing, with their values, if nothing is pending: no commit does it.
    ///
    /// A row is still used again only when nobody shows a graph with the object, and nothing brings it back; a redo
    /// writes all values itself. Children read the last values of such objects here, so it is left undone while there
    /// are any.
    ///
    /// - Complexity: O(k) for k objects that came to nothing.
    func dropUndone() {
        guard children.isEmpty, !transaction.hasNotes, unsaved.changes.isEmpty,
            unsaved.bases.conflicts.isEmpty, unsaved.bases.effects.buried.isEmpty
        else { return }
        let rows = giveUpRows()
        guard !rows.isEmpty else { return }
        transaction.clearValues(of: rows)
        // A handle that ended may have changed something.
        gatherChanges()
        // Of the graphs with the values, none is to stay.
        unsaved.changes.append(takeChanges())
    }
}
