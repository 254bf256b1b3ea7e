import Foundation

/// Filling a graph that nobody has seen yet, as a document is opened.
///
/// Rows get their values without being noted as changed. Indexes and derived attributes do not follow each
/// write; a row joins them, once its values are there, by ``settle(_:in:)``.
extension Transaction {
    /// Makes a row of the given number and kind exist, with the defaults; it must never have existed.
    func load(_ row: Int32, into table: Int, kind: Int32) {
        makePresent(row, in: table)
        guard let column = kindColumn(of: table) else { return }
        setReference(row, column, in: table, to: kind)
        for (slot, value) in graph.layout.tables[table].defaults[Int(kind)] {
            load(value, row, slot, in: table)
        }
    }

    /// Gives an attribute of a row that has not joined anything yet its value; the type fits.
    @inline(__always)
    func load<Element: ColumnElement>(_ value: Element, _ row: Int32, _ slot: Int, in table: Int) {
        let offset = Int(row) & ChunkLayout.mask
        let block = writableBlock(row, slot, in: table)
        block.elements(of: Element.self)[offset] = value
        block.setValid(true, at: offset)
    }

    /// Gives an attribute of a row that has not joined anything yet a value without type; the types fit.
    func load(_ datum: Datum, _ row: Int32, _ slot: Int, in table: Int) {
        switch datum {
        case .null: loadNull(row, slot, in: table)
        case .boolean(let value): load(value, row, slot, in: table)
        case .integer(let value): load(value, row, slot, in: table)
        case .unsigned(let value): load(value.ordered, row, slot, in: table)
        case .decimal(let value): load(value, row, slot, in: table)
        case .double(let value): load(value, row, slot, in: table)
        case .date(let value): load(value.timeIntervalSinceReferenceDate, row, slot, in: table)
        case .string(let value): load(value, row, slot, in: table)
        case .uuid(let value): load(value, row, slot, in: table)
        case .data(let value) where access[table].traits[slot].kind == .blob:
            load(Blob.holding(value), row, slot, in: table)
        case .data(let value): load(value, row, slot, in: table)
        }
    }

    private func loadNull(_ row: Int32, _ slot: Int, in table: Int) {
        switch access[table].traits[slot].kind {
        case .boolean: load(Bool.unset, row, slot, in: table)
        case .integer: load(Int64.unset, row, slot, in: table)
        case .double: load(Double.unset, row, slot, in: table)
        case .decimal: load(Decimal.unset, row, slot, in: table)
        case .string: load(String.unset, row, slot, in: table)
        case .uuid: load(UUID.unset, row, slot, in: table)
        case .data: load(Data.unset, row, slot, in: table)
        case .blob: load(Blob.unset, row, slot, in: table)
        case .reference: return
        }
        writableBlock(row, slot, in: table).setValid(false, at: Int(row) & ChunkLayout.mask)
    }

    /// Enters a row into the indexes, and makes its derived values, once it has its values.
    func settle(_ row: Int32, in table: Int) {
        settle(row, graph.layout.tables[table].uniqueSlots, isJoined(table), in: table)
    }

    /// Enters all rows of a table as ``settle(_:in:)`` does one.
    func settleRows(of table: Int) {
        let slots = graph.layout.tables[table].uniqueSlots
        let isJoined = isJoined(table)
        guard isJoined || !slots.isEmpty else { return }
        for row in 0..<Int32(graph.tables[table].upperBound) where contains(row, in: table) {
            settle(row, slots, isJoined, in: table)
        }
    }

    @inline(__always)
    private func settle(_ row: Int32, _ slots: [Int], _ isJoined: Bool, in table: Int) {
        for slot in slots { enterIntoIndex(row, slot, in: table) }
        if isJoined { joinAll(row, in: table) }
    }
}
