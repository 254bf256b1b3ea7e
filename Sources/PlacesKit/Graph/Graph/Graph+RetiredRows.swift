extension ChangeSet {
    /// The rows of all objects that are new.
    var insertedRows: ContiguousArray<RowAddress> { rows(\.inserted) }

    /// Some of the rows of each table.
    func rows(
        _ some: (TableChanges) -> ContiguousArray<Row>
    ) -> ContiguousArray<RowAddress> {
        var addresses: ContiguousArray<RowAddress> = []
        for table in tables.tableNumbers {
            for row in some(tables[table]) { addresses.append(RowAddress(table: table, row: row)) }
        }
        return addresses
    }
}

extension Graph {
    /// The rows of this graph that some changes make unused, as far as they can be used again.
    func retiredRows(by changes: ChangeSet) -> ContiguousArray<RetiredRow> {
        ContiguousArray(changes.rows(\.deleted).lazy.compactMap(reusableRow))
    }

    /// A row, if no object has it any more, and it can be used again.
    func retiredRow(_ address: RowAddress) -> RetiredRow? {
        contains(address.row, in: address.table) ? nil : reusableRow(address)
    }

    private func reusableRow(_ address: RowAddress) -> RetiredRow? {
        let retired = RetiredRow(
            address: address, generation: generation(address.row, in: address.table))
        return canBeUsedAgain(retired) ? retired : nil
    }

    /// Whether there is a number for the next object of a row.
    func canBeUsedAgain(_ row: RetiredRow) -> Bool {
        row.generation < tables[row.address.table].numbers.highestGeneration
    }

    /// The rows of a table of objects that no object has.
    ///
    /// - Complexity: O(1) where there are none, else O(n) for n rows.
    func unusedRows(in table: TableNumber) -> ContiguousArray<RetiredRow> {
        var unused: ContiguousArray<RetiredRow> = []
        guard layout.entityTables.contains(table), tables[table].count < tables[table].upperBound
        else {
            return []
        }
        for row in tables[table].rows {
            if let row = retiredRow(RowAddress(table: table, row: row)) { unused.append(row) }
        }
        return unused
    }
}
