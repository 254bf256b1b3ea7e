extension Graph {
    /// Where an attribute's value lies.
    struct AttributeAddress {
        var table: TableNumber
        var row: Row
        var slot: Slot
    }

    /// The value of an attribute, `.null` where the row holds none, but not where its bytes cannot be read.
    func readDatum(
        _ row: Row, _ slot: Slot, in table: TableNumber
    ) throws(ExternalStorageError) -> Datum {
        let column = tables[table].columns[slot]
        guard column.kind == .blob, column.isValid(at: row) else {
            return datum(row, slot, in: table)
        }
        return .data(try column.element(Blob.self, at: row).bytes())
    }

    /// Calls `body` with every blob of an object, and where it is.
    ///
    /// - Complexity: O(n) for n rows of the tables that have attributes with external storage.
    func forEachBlob(_ body: (Blob, AttributeAddress) throws -> Void) rethrows {
        for table in tables.tableNumbers.prefix(layout.entityTables.count) {
            let slots = tables[table].columns.slots.filter {
                tables[table].columns[$0].kind == .blob
            }
            guard !slots.isEmpty else { continue }
            for row in rows(in: table).rows {
                for slot in slots where tables[table].columns[slot].isValid(at: row) {
                    try body(
                        tables[table].columns[slot].element(Blob.self, at: row),
                        AttributeAddress(table: table, row: row, slot: slot))
                }
            }
        }
    }
}
