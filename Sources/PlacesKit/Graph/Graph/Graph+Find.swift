import Foundation

extension Graph {
    /// Calls `body` with the rows of a table that are not there any more since an earlier graph.
    func forEachRow(lostSince former: Graph, in table: TableNumber, _ body: (Row) -> Void) {
        let presence = layout.tables[table].presence
        tables[table].columns[presence]
            .forEachDifference(from: former.tables[table].columns[presence]) { row in
                if former.contains(row, in: table), !contains(row, in: table) { body(row) }
            }
    }

    /// The row whose unique attribute holds a value, or `nil` when there is none.
    ///
    /// - Complexity: O(1).
    func find(_ datum: Datum, _ slot: Slot, in table: TableNumber) -> Row? {
        guard let number = layout.tables[table].uniqueSlots.firstIndex(of: slot) else { return nil }
        let index = tables[table].uniqueIndexes[number]
        let column = tables[table].columns[slot]
        return withExtendedLifetime(index) {
            index.reader.find(datum, column.kind) { column.block($0) }
        }
    }

    /// The row of an object of an entity, or of one that inherits from it, that has the value of a unique attribute which
    /// another row is found by: before a save several may have it.
    ///
    /// - Complexity: O(k log n) for k rows with the value.
    func row(
        sharing slot: Slot, with found: Row, of entity: EntityLayout
    ) -> Row? {
        let table = entity.table
        guard let number = layout.tables[table].uniqueSlots.firstIndex(of: slot),
            tables[table].uniqueIndexes[number].hasDuplicates
        else { return nil }
        let column = tables[table].columns[slot]
        func row<Element: ColumnElement>(_ type: Element.Type) -> Row? {
            let value = column.element(type, at: found)
            return tables[table].uniqueIndexes[number].heir(hash: value.indexHash) {
                column.element(type, at: $0) == value && isObject($0, of: entity)
            }
        }
        return switch column.kind {
        case .boolean: row(Bool.self)
        case .integer: row(Int64.self)
        case .double: row(Double.self)
        case .decimal: row(Decimal.self)
        case .string: row(String.self)
        case .uuid: row(UUID.self)
        case .data: row(Data.self)
        case .blob: row(Blob.self)
        case .reference: nil
        }
    }
}

extension Transaction {
    /// The same in the transaction's graph, four times as fast.
    func find(_ datum: Datum, _ slot: Slot, in table: TableNumber) -> Row? {
        let access = access + table.index
        let index = access.pointee.traits[slot].index
        guard index >= 0 else { return nil }
        if waiting.hasEntries { enterPending() }
        let blocks = access.pointee.columns[slot]
        return access.pointee.indexes[index].find(datum, access.pointee.traits[slot].kind) {
            blocks[$0]
        }
    }

    /// The rows whose unique attribute holds some values, in the order of the values; `.none` where there is none.
    func find(
        _ data: ContiguousArray<Datum>, _ slot: Slot, in table: TableNumber
    ) -> ContiguousArray<Row> {
        let access = access + table.index
        let index = access.pointee.traits[slot].index
        guard index >= 0 else { return ContiguousArray(repeating: .none, count: data.count) }
        if waiting.hasEntries { enterPending() }
        return access.pointee.indexes[index].find(
            data, access.pointee.traits[slot].kind, in: access.pointee.columns[slot])
    }
}
