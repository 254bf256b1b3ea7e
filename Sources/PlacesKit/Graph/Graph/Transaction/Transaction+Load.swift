/// Filling a graph that nobody has seen yet, as a document is opened.
///
/// Rows get their values by a `ChunkFiller`. They join indexes and derived attributes when their values are
/// there, by ``settle(_:in:)``.
extension Transaction {
    /// Enters a row into the indexes, and makes its derived values, once it has its values.
    func settle(_ row: Row, in table: TableNumber) {
        for slot in layout.tables[table].uniqueSlots { enterIntoIndex(row, slot, in: table) }
        if isJoined(table) { join(row, in: table) }
    }

    /// Enters all rows of a table as ``settle(_:in:)`` does one, but for the indexes of unique attributes.
    func joinRows(of table: TableNumber) {
        guard isJoined(table) else { return }
        for row in graph.tables[table].rows where contains(row, in: table) {
            join(row, in: table)
        }
    }

    private func join(_ row: Row, in table: TableNumber) {
        updateIndexes(of: row, in: table, isAdded: true)
        publishAll(of: row, in: table)
    }
}
