extension Transaction {
    /// What is wrong with the graph and the addresses and notes kept of it; nothing if all is sound.
    var brokenInvariants: [String] {
        graph.brokenInvariants(allowingDeniedDeletes: true)
            + graph.tables.tableNumbers.flatMap(brokenAddresses)
            + layout.entityTables.flatMap(brokenNotes)
            + suppliedRows.brokenInvariants(for: graph)
            + (waiting.isEmpty ? [] : ["a row waits, although the graph was looked at"])
            + (recorder.isTold && !hasNotes ? ["the first note was told, and there is none"] : [])
    }

    /// The accessors read through addresses that must be those of the graph's own chunks.
    private func brokenAddresses(of table: TableNumber) -> [String] {
        var violations: [String] = []
        if access[table].chunkCapacity < graph.tables[table].chunkCount {
            violations.append("table \(table) has chunks without addresses")
        }
        for (number, column) in graph.tables[table].columns.enumerated() {
            for chunk in 0..<access[table].chunkCapacity
            where access[table].columns[number][chunk] != column.block(chunk) {
                violations.append(
                    "table \(table), column \(number): chunk \(chunk) is read at a stale address")
            }
        }
        for (number, index) in graph.tables[table].uniqueIndexes.enumerated()
        where access[table].indexes[number] != index.reader {
            violations.append("table \(table): index \(number) is read at a stale address")
        }
        return violations
    }

    private func brokenNotes(of table: TableNumber) -> [String] {
        var violations: [String] = []
        let rows = Set(access[table].notedRows)
        if rows.count != access[table].notedCount {
            violations.append("table \(table): a row is noted twice")
        }
        for row in rows where access[table].changes(of: row).isEmpty {
            violations.append("table \(table): row \(row) is noted, and its mask is empty")
        }
        for chunk in 0..<access[table].chunkCapacity {
            let masks = access[table].changes[chunk]
            for offset in 0..<ChunkLayout.rows where masks[offset] != 0 {
                let row = Row(chunk: chunk, offset: offset)
                if masks == unchanged || !rows.contains(row) {
                    violations.append("table \(table): row \(row) has a mask, and is not noted")
                }
            }
        }
        return violations
    }
}
