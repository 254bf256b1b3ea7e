/// The rows of objects that are gone are used again, when nobody can mean those objects by them.
extension ManagedObjectContext {
    /// Holds the rows of objects of which there are handles, and which others' graphs have no more since the
    /// context showed one of a lifetime.
    func holdRows(retiredSince former: GraphLifetime?) {
        guard let former, let lifetime = committed.graph.lifetime, former !== lifetime else {
            return
        }
        former.forEachRetired(before: lifetime) { address in
            tables[Int(address.table)].holdRow(of: address.row)
        }
    }

    /// Clears the values of rows that nobody means any more, as part of the changes that are about to be
    /// saved.
    func clearEndedRows() {
        guard parent == nil, transaction.hasNotes || !pending.isEmpty else {
            return
        }
        let rows = store.rows.takeEnded()
        guard !rows.isEmpty else { return }
        transaction.clear(rows)
        if !transaction.hasNotes, !pending.isUnset { pending.append(transaction.takeChanges()) }
    }

    /// Ends the care for rows whose objects are saved now, and gives up those whose objects came to nothing.
    func giveUpRows() {
        guard !transaction.suppliedRows.isEmpty else { return }
        let given = transaction.giveUpRows(savedIn: committed.graph) { row, table in
            transaction.contains(row, in: table) || tables[table].handle(row) != nil
        }
        store.retire(given.fresh, releasing: given.reclaimed)
    }

    /// Gives up all rows: to the parent, if there is one, for they may have been saved to it.
    func giveUpAllRows() {
        guard !transaction.suppliedRows.isEmpty else { return }
        transaction.giveBackCleared()
        if let parent { return parent.transaction.takeRows(of: transaction) }
        let given = transaction.giveUpRows(savedIn: committed.graph) { _, _ in false }
        store.retire(given.fresh, releasing: given.reclaimed)
    }
}
