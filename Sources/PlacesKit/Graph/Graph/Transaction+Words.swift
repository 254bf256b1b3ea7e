extension Transaction {
    /// Enters the words of a row's text into an index.
    ///
    /// - Complexity: O(k log n) for k words.
    func joinWords(_ number: Int, _ row: Row, in table: TableNumber) {
        let entries = words(number, row, in: table)
        if entries.isEmpty { return }
        updateWordIndex(number, of: table) { index, token in
            for entry in entries { index.insert(entry, token: token) }
        }
    }

    /// Takes the words of a row's text out of an index.
    ///
    /// - Complexity: O(k log n) for k words.
    func leaveWords(_ number: Int, _ row: Row, in table: TableNumber) {
        let entries = words(number, row, in: table)
        if entries.isEmpty { return }
        updateWordIndex(number, of: table) { index, token in
            for entry in entries { index.remove(entry, token: token) }
        }
    }

    private func words(
        _ number: Int, _ row: Row, in table: TableNumber
    ) -> ContiguousArray<OrderedEntry> {
        let layout = self.layout.tables[table].wordIndexes[number]
        return layout.entries(row, block(row, layout.column.column, in: table))
    }
}
