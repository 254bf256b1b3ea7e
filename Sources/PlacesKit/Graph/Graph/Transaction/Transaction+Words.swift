extension Transaction {
    /// Enters the words of a row's text into an index, or takes them out.
    ///
    /// - Complexity: O(k log n) for k words.
    func updateWords(_ number: Int, _ row: Row, in table: TableNumber, _ isAdded: Bool) {
        let layout = self.layout.tables[table].wordIndexes[number]
        let entries = layout.entries(row, block(row, layout.column.column, in: table))
        let token = token.pointee
        for entry in entries {
            if isAdded {
                current.tables[table].wordIndexes[number].insert(entry, token: token)
            } else {
                current.tables[table].wordIndexes[number].remove(entry, token: token)
            }
        }
    }
}
