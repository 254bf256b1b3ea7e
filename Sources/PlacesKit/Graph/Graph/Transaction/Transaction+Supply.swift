import Foundation

extension Transaction {
    // MARK: - Rows that are used again

    /// Makes a row that does not exist ready for another object than it was.
    func renew(_ use: RowAllocator.Use, in table: TableNumber) {
        guard generation(use.row, in: table) != use.generation else { return }
        makeRoom(for: use.row, in: table)
        clear(use.row, in: table)
        setGeneration(use.generation, of: use.row, in: table)
        current.tables[table].numbers.renew(
            use.row, generation: use.generation, token: currentToken)
    }

    /// Clears the values of rows that have ended, and makes them those of the objects that come next.
    func clear(_ rows: ContiguousArray<RetiredRow>) {
        for row in rows { renew(row.next, in: row.address.table) }
        suppliedRows.addCleared(rows)
    }

    /// Clears the values of rows that do not exist, and that are those of the same objects if these come back: whoever
    /// finds such an object until then still has to know its class.
    func clearValues(of rows: [RowAddress]) {
        for address in rows where access[address.table].hasRoom(for: address.row) {
            clear(address.row, in: address.table, but: kindColumn(of: address.table))
        }
    }

    /// Lets a row that does not exist hold what rows hold that were never written, but for one column.
    ///
    /// No index knows it and nothing leads to it.
    private func clear(_ row: Row, in table: TableNumber, but kept: Slot? = nil) {
        let presence = layout.tables[table].presence
        for column in layout.tables[table].columns.slots where column != presence && column != kept
        {
            switch access[table].traits[column].kind {
            case .boolean: clear(Bool.self, row, column, in: table)
            case .integer: clear(Int64.self, row, column, in: table)
            case .double: clear(Double.self, row, column, in: table)
            case .decimal: clear(Decimal.self, row, column, in: table)
            case .string: clear(String.self, row, column, in: table)
            case .uuid: clear(UUID.self, row, column, in: table)
            case .data: clear(Data.self, row, column, in: table)
            case .blob: clear(Blob.self, row, column, in: table)
            case .reference: clear(Row.self, row, column, in: table)
            }
        }
    }

    private func clear<Element: ColumnElement>(
        _ type: Element.Type, _ row: Row, _ column: Slot, in table: TableNumber
    ) {
        copy(
            type, row, column, in: table, from: layout.tables[table].columns[column].block(0), at: 0
        )
    }

    /// Lets a row that does not exist hold what a block holds at an offset.
    private func copy<Element: ColumnElement>(
        _ type: Element.Type, _ row: Row, _ column: Slot, in table: TableNumber,
        from source: UnsafeMutableRawPointer, at position: Int
    ) {
        let offset = row.offset
        let old = block(row, column, in: table)
        guard
            old.isValid(at: offset) != source.isValid(at: position)
                || !old.elements(of: type)[offset]
                    .isIdentical(to: source.elements(of: type)[position])
        else { return }
        let block = writableBlock(row, column, in: table)
        block.elements(of: type)[offset] = source.elements(of: type)[position]
        block.setValid(source.isValid(at: position), at: offset)
    }

    /// Lets some rows that do not exist hold the attributes that they hold in another graph, if they do not exist there,
    /// either.
    ///
    /// Blobs are gone with their object, and what is derived follows links that forbade a delete, at both ends. After a
    /// rollback, objects that were never saved have their defaults.
    ///
    /// - Complexity: O(k) for k rows at which the graphs differ, and for the chunks in which they lie.
    func keepLastValues(
        of rows: Set<Row>, from graph: Graph, in table: TableNumber, isRolledBack: Bool
    ) {
        let properties = layout.tables[table].properties
        for slot in properties.slots where properties[slot].attribute != nil {
            let lost = rowsLost(among: rows, slot, from: graph, in: table)
            let isDerived = layout.tables[table].isDerived(slot)
            for row in lost
            where !contains(row, in: table) && !graph.contains(row, in: table)
                && !(isRolledBack && suppliedRows.isNew(row, in: table))
            {
                if !denies(row, in: table) {
                    keepLastValue(of: row, slot, from: graph, in: table)
                } else if !isDerived {
                    copy(row, slot, of: graph, to: row, in: table)
                }
            }
        }
    }

    /// Those of some rows at which a column may not be as in another graph.
    private func rowsLost(
        among rows: Set<Row>, _ slot: Slot, from graph: Graph, in table: TableNumber
    ) -> [Row] {
        // A few are looked at sooner than all that differs.
        if rows.count <= 64 { return Array(rows) }
        var lost: [Row] = []
        current.tables[table].columns[slot]
            .forEachDifference(from: graph.tables[table].columns[slot]) { row in
                if rows.contains(row) { lost.append(row) }
            }
        return lost
    }

    private func keepLastValue(
        of row: Row, _ slot: Slot, from graph: Graph, in table: TableNumber
    ) {
        makeRoom(for: row, in: table)
        switch access[table].traits[slot].kind {
        case .boolean: keepLast(Bool.self, row, slot, graph, table)
        case .integer: keepLast(Int64.self, row, slot, graph, table)
        case .double: keepLast(Double.self, row, slot, graph, table)
        case .decimal: keepLast(Decimal.self, row, slot, graph, table)
        case .string: keepLast(String.self, row, slot, graph, table)
        case .uuid: keepLast(UUID.self, row, slot, graph, table)
        case .data: keepLast(Data.self, row, slot, graph, table)
        case .blob, .reference: break
        }
    }

    private func keepLast<Element: ColumnElement>(
        _ type: Element.Type, _ row: Row, _ slot: Slot, _ graph: Graph, _ table: TableNumber
    ) {
        let last = graph.tables[table].columns[slot].block(row.chunk)
        if block(row, slot, in: table) != last {
            copy(type, row, slot, in: table, from: last, at: row.offset)
        }
    }

    // MARK: - Keeping

    /// Takes over the rows of a child context's transaction.
    func takeRows(of child: Transaction) {
        renew(child.suppliedRows.fresh)
        suppliedRows.take(from: &child.suppliedRows)
    }

    /// Goes on with the rows that it has, when it started again from another graph: objects of rows that were
    /// used before keep their numbers.
    ///
    /// That is no change, and nothing is noted. The graph is frozen then, or the accessors' shortcut might write in the same
    /// chunks what is the first change: it tells nobody of that.
    func keepSuppliedRows() {
        guard !suppliedRows.isEmpty else { return }
        renew(suppliedRows.fresh)
        suppliedRows.giveBackCleared()
        _ = freeze()
    }

    /// Lets rows of each table that were used before be those of the objects which they are for now.
    private func renew(_ rows: [ContiguousArray<RowAllocator.Use>]) {
        for table in rows.tableNumbers {
            for use in rows[table] where use.generation > 0 && !contains(use.row, in: table) {
                renew(use, in: table)
            }
        }
    }
}
