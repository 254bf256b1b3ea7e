extension ChangeSet {
    /// The rows of all objects that are new.
    var insertedRows: [RowAddress] {
        tables.indices.flatMap { table in
            tables[table].inserted.map { RowAddress(table: Int32(table), row: $0) }
        }
    }
}

extension Graph {
    /// The rows of this graph that some changes make unused, as far as they can be used again.
    func retiredRows(by changes: ChangeSet) -> ContiguousArray<RetiredRow> {
        var retired: ContiguousArray<RetiredRow> = []
        for table in changes.tables.indices {
            for row in changes.tables[table].deleted {
                let row = RetiredRow(
                    address: RowAddress(table: Int32(table), row: row),
                    generation: generation(row, in: table))
                if canBeUsedAgain(row) { retired.append(row) }
            }
        }
        return retired
    }

    /// Whether there is a number for the next object of a row.
    func canBeUsedAgain(_ row: RetiredRow) -> Bool {
        row.generation < tables[Int(row.address.table)].numbers.highestGeneration
    }

    /// The rows of a table of objects that no object has.
    ///
    /// - Complexity: O(1) where there are none, else O(n) for n rows.
    func unusedRows(in table: Int) -> ContiguousArray<RetiredRow> {
        var unused: ContiguousArray<RetiredRow> = []
        guard table < layout.entityCount, tables[table].count < tables[table].upperBound else {
            return []
        }
        for row in tables[table].rows where !contains(row, in: table) {
            let row = RetiredRow(
                address: RowAddress(table: Int32(table), row: row),
                generation: generation(row, in: table))
            if canBeUsedAgain(row) { unused.append(row) }
        }
        return unused
    }
}
