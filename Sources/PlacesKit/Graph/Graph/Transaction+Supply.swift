import Foundation

extension Transaction {
    // MARK: - Rows that are used again

    /// Makes a row that does not exist ready for another object than it was.
    func renew(_ use: RowAllocator.Use, in table: Int) {
        guard generation(use.row, in: table) != use.generation else { return }
        makeRoom(for: use.row, in: table)
        clear(use.row, in: table)
        setGeneration(use.generation, of: use.row, in: table)
    }

    /// Clears the values of rows that have ended, and makes them those of the objects that come next.
    func clear(_ rows: ContiguousArray<RetiredRow>) {
        for row in rows { renew(row.next, in: Int(row.address.table)) }
        suppliedRows.cleared += rows
    }

    /// Lets a row that does not exist hold what rows hold that were never written.
    ///
    /// No index knows it and nothing leads to it.
    private func clear(_ row: Int32, in table: Int) {
        let presence = layout.tables[table].presence
        for column in 0..<access[table].columnCount where column != presence {
            switch access[table].traits[column].kind {
            case .boolean: clear(Bool.self, row, column, in: table)
            case .integer: clear(Int64.self, row, column, in: table)
            case .double: clear(Double.self, row, column, in: table)
            case .decimal: clear(Decimal.self, row, column, in: table)
            case .string: clear(String.self, row, column, in: table)
            case .uuid: clear(UUID.self, row, column, in: table)
            case .data: clear(Data.self, row, column, in: table)
            case .blob: clear(Blob.self, row, column, in: table)
            case .reference: clear(Int32.self, row, column, in: table)
            }
        }
    }

    private func clear<Element: ColumnElement>(
        _ type: Element.Type, _ row: Int32, _ column: Int, in table: Int
    ) {
        let offset = Int(row) & ChunkLayout.mask
        let blank = layout.tables[table].columns[column].block(0)
        let old = block(row, column, in: table)
        guard
            old.isValid(at: offset) != blank.isValid(at: 0)
                || !old.elements(of: type)[offset]
                    .isIdentical(to: blank.elements(of: type)[0])
        else { return }
        let block = writableBlock(row, column, in: table)
        block.elements(of: type)[offset] = blank.elements(of: type)[0]
        block.setValid(blank.isValid(at: 0), at: offset)
    }

    // MARK: - Keeping and giving back

    /// Holds the rows of objects that are about to come back, unless they are this transaction's own.
    func reclaim(_ rows: some Sequence<Int32>, in table: Int) {
        var own: Set<Int32>?
        for row in rows {
            let known = own ?? Set(suppliedRows.fresh[table].lazy.map(\.row))
            own = known
            guard !known.contains(row) else { continue }
            let address = RowAddress(table: Int32(table), row: row)
            self.rows.hold(address)
            suppliedRows.reclaimed.append(address)
        }
    }

    /// Takes over the rows of a child context, with their numbers: not all of them may be saved with an object.
    func takeRows(of child: Transaction) {
        for table in suppliedRows.fresh.indices {
            suppliedRows.fresh[table] += child.suppliedRows.fresh[table]
        }
        suppliedRows.reclaimed += child.suppliedRows.reclaimed
        child.suppliedRows.fresh = suppliedRows.fresh.map { _ in [] }
        child.suppliedRows.reclaimed = []
        renewSuppliedRows()
    }

    /// Goes on with the rows that it has, when it started again from another graph: objects of rows that were
    /// used before keep their numbers.
    func keepSuppliedRows() {
        guard !suppliedRows.isEmpty else { return }
        renewSuppliedRows()
        giveBackCleared()
    }

    /// Lets rows that were used before be those of the objects which they are for now.
    private func renewSuppliedRows() {
        for table in suppliedRows.fresh.indices {
            for use in suppliedRows.fresh[table]
            where use.generation > 0 && !contains(use.row, in: table) {
                renew(use, in: table)
            }
        }
    }

    /// The rows that were cleared are not in the graph that others see.
    func giveBackCleared() {
        guard !suppliedRows.cleared.isEmpty else { return }
        rows.end(suppliedRows.cleared)
        suppliedRows.cleared = []
    }

    /// The objects that came back, and that a commit brings back for all.
    func revivedRows(by changes: ChangeSet) -> Set<RowAddress> {
        guard !suppliedRows.reclaimed.isEmpty else { return [] }
        var revived: Set<RowAddress> = []
        for address in suppliedRows.reclaimed {
            let table = Int(address.table)
            if changes.after.contains(address.row, in: table),
                !changes.before.contains(address.row, in: table)
            {
                revived.insert(address)
            }
        }
        guard !revived.isEmpty else { return [] }
        for table in suppliedRows.fresh.indices {
            for use in suppliedRows.fresh[table] {
                revived.remove(RowAddress(table: Int32(table), row: use.row))
            }
        }
        return revived
    }

    /// Gives up what is saved in a graph, or came to nothing.
    ///
    /// - Parameters:
    ///   - graph: The graph that is saved.
    ///   - isKept: Whether the object of a row is pending, or somebody has a handle of it, which shows its
    ///     number.
    /// - Returns: The rows that can be used again, and those to be released, when the last graph is gone in
    ///   which their objects lived.
    func giveUpRows(
        savedIn graph: Graph, unless isKept: (_ row: Int32, _ table: Int) -> Bool
    ) -> (fresh: ContiguousArray<RetiredRow>, reclaimed: ContiguousArray<RowAddress>) {
        var given: (fresh: ContiguousArray<RetiredRow>, reclaimed: ContiguousArray<RowAddress>)
        given = ([], [])
        for table in suppliedRows.fresh.indices where !suppliedRows.fresh[table].isEmpty {
            suppliedRows.fresh[table].removeAll { use in
                if graph.contains(use.row, in: table) { return true }
                if isKept(use.row, table) { return false }
                given.fresh.append(
                    RetiredRow(
                        address: RowAddress(table: Int32(table), row: use.row),
                        generation: use.generation))
                return true
            }
        }
        suppliedRows.reclaimed.removeAll { address in
            let table = Int(address.table)
            if graph.contains(address.row, in: table) {
                rows.release(address)
                return true
            }
            if isKept(address.row, table) { return false }
            given.reclaimed.append(address)
            return true
        }
        return given
    }

    /// Lets the rows be used again that were cleared in the graph that is committed now.
    func freeCleared() {
        guard !suppliedRows.cleared.isEmpty else { return }
        rows.free(suppliedRows.cleared)
        suppliedRows.cleared = []
    }
}
