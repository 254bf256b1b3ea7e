// Transient values: no line has them, and who makes lines again while objects are in use is not to lose them.

extension JournalReplay {
    /// Gives an object that comes the transient values that are shown of it.
    func takeTransients(_ row: Row, of entity: EntityLayout, _ slots: [Slot]) {
        let table = entity.table
        guard let shown, !slots.isEmpty,
            let source = shown.row(of: transaction.number(of: row, in: table), in: table),
            shown.contains(source, in: table)
        else { return }
        for slot in slots { transaction.copy(source, slot, of: shown, to: row, in: table) }
    }

    /// Gives all objects the transient values that are shown of them, as what was there before any line.
    ///
    /// - Complexity: O(k) for k rows of chunks that differ in them.
    func takeTransients() {
        guard let shown else { return }
        let graph = transaction.graph
        var isChanged = false
        for table in layout.entityTables {
            let properties = layout.tables[table].properties
            for slot in properties.slots where properties[slot].attribute?.isTransient == true {
                let column = shown.tables[table].columns[slot]
                column.forEachDifference(from: graph.tables[table].columns[slot]) { row in
                    guard graph.contains(row, in: table), shown.contains(row, in: table),
                        graph.number(of: row, in: table) == shown.number(of: row, in: table)
                    else { return }
                    transaction.copy(row, slot, of: shown, to: row, in: table)
                    isChanged = true
                }
            }
        }
        // It is no write of a commit, so nothing conflicts with it.
        if isChanged { _ = transaction.takeChanges() }
    }
}
