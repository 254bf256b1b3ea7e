import Foundation

extension Transaction {
    /// Writes an attribute of an existing row, notes the change and keeps what follows it; writing the value that is already there does nothing.
    ///
    /// `value` points at an element of the column's type.
    @usableFromInline
    func write(
        _ value: UnsafeRawPointer, isValid: Bool, _ row: Row, _ slot: Slot, in table: TableNumber
    ) {
        switch access[table].traits[slot].kind {
        case .boolean: write(value.load(as: Bool.self), isValid, row, slot, table)
        case .integer: write(value.load(as: Int64.self), isValid, row, slot, table)
        case .double: write(value.load(as: Double.self), isValid, row, slot, table)
        case .decimal: write(value.load(as: Decimal.self), isValid, row, slot, table)
        case .string: write(value.load(as: String.self), isValid, row, slot, table)
        case .uuid: write(value.load(as: UUID.self), isValid, row, slot, table)
        case .data: write(value.load(as: Data.self), isValid, row, slot, table)
        case .blob: write(Blob.holding(value.load(as: Data.self)), isValid, row, slot, table)
        case .reference:
            preconditionFailure("the accessor of an attribute has the slot of an attribute")
        }
    }

    @inline(__always)
    func write<Element: ColumnElement>(
        _ value: Element, _ isValid: Bool, _ row: Row, _ slot: Slot, _ table: TableNumber
    ) {
        let offset = row.offset
        let old = block(row, slot, in: table)
        let wasValid = old.isValid(at: offset)
        let isSame =
            wasValid == isValid
            && (!isValid || old.elements(of: Element.self)[offset].isIdentical(to: value))
        if isSame { return }
        // What is derived of links that forbid a delete is written of a row that is gone.
        let isUnique = isIndexed(row, slot, in: table) && contains(row, in: table)
        if isUnique, wasValid { removeFromIndex(row, slot, in: table) }
        let followers = followers(of: slot, in: table)
        if let followers { leave(followers, row, in: table) }
        let block = writableBlock(row, slot, in: table)
        block.elements(of: Element.self)[offset] = value
        block.setValid(isValid, at: offset)
        if isUnique, isValid { enter(row, slot, in: table, hash: value.indexHash) }
        if let followers { join(followers, row, in: table) }
        note(slot, row, in: table)
    }

    /// Writes an attribute of an existing row from a value without type; the types fit.
    func write(_ datum: Datum, _ row: Row, _ slot: Slot, in table: TableNumber) {
        switch datum {
        case .null: writeNull(row, slot, in: table)
        case .boolean(let value): write(value, true, row, slot, table)
        case .integer(let value): write(value, true, row, slot, table)
        case .unsigned(let value): write(value.ordered, true, row, slot, table)
        case .decimal(let value): write(value, true, row, slot, table)
        case .double(let value): write(value, true, row, slot, table)
        case .date(let value):
            write(value.timeIntervalSinceReferenceDate, true, row, slot, table)
        case .string(let value): write(value, true, row, slot, table)
        case .uuid(let value): write(value, true, row, slot, table)
        case .data(let value):
            if access[table].traits[slot].kind == .blob {
                write(Blob.holding(value), true, row, slot, table)
            } else {
                write(value, true, row, slot, table)
            }
        }
    }

    /// Writes an attribute of an existing row as a row of another graph of the same layout has it.
    func copy(_ row: Row, _ slot: Slot, of graph: Graph, to target: Row, in table: TableNumber) {
        let column = graph.tables[table].columns[slot]
        // The file of a blob is shared, and not read.
        if column.kind == .blob, column.isValid(at: row) {
            write(column.element(Blob.self, at: row), true, target, slot, table)
        } else {
            write(graph.datum(row, slot, in: table), target, slot, in: table)
        }
    }

    /// Gives attributes and to-one relationships of an existing row the values that another graph of the
    /// same layout has; nothing is led to what is not here, unless the link forbade to delete it.
    func copyValues(of row: Row, _ slots: [Slot]? = nil, from graph: Graph, in table: TableNumber) {
        for slot in slots ?? layout.tables[table].valueSlots {
            guard let relationship = access[table].traits[slot].relationship else {
                copy(row, slot, of: graph, to: row, in: table)
                continue
            }
            guard relationship.ownList == nil else { continue }
            let target = graph.reference(row, slot, in: table)
            let isThere = canLead(relationship, to: target)
            setToOne(row, slot, in: table, to: isThere ? target : Row.none)
        }
    }

    /// Writes that a row holds no value; an attribute that must have one reads as its type's blank.
    private func writeNull(_ row: Row, _ slot: Slot, in table: TableNumber) {
        let attribute = layout.tables[table].properties[slot].attribute
        let blank = attribute.flatMap { $0.isOptional ? nil : $0.blank }
        @inline(__always)
        func writeNull<Element: ColumnElement>(_ type: Element.Type) {
            write(blank?.element(of: type) ?? .unset, false, row, slot, table)
        }
        switch access[table].traits[slot].kind {
        case .boolean: writeNull(Bool.self)
        case .integer: writeNull(Int64.self)
        case .double: writeNull(Double.self)
        case .decimal: writeNull(Decimal.self)
        case .string: writeNull(String.self)
        case .uuid: writeNull(UUID.self)
        case .data: writeNull(Data.self)
        case .blob: writeNull(Blob.self)
        case .reference:
            preconditionFailure("the accessor of an attribute has the slot of an attribute")
        }
    }
}
