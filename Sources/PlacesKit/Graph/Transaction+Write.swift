import Foundation

extension Transaction {
    /// Writes an attribute of an existing row, notes the change and keeps the index of a unique
    /// attribute; writing the value that is already there does nothing.
    ///
    /// `value` points at an element of the column's type.
    @usableFromInline
    func write(
        _ value: UnsafeRawPointer, isValid: Bool, _ row: Int32, _ slot: Int, in table: Int
    ) {
        switch access[table].traits[slot].kind {
        case .boolean: write(value.load(as: Bool.self), isValid, row, slot, table)
        case .integer: write(value.load(as: Int64.self), isValid, row, slot, table)
        case .double: write(value.load(as: Double.self), isValid, row, slot, table)
        case .string: write(value.load(as: String.self), isValid, row, slot, table)
        case .uuid: write(value.load(as: UUID.self), isValid, row, slot, table)
        case .data: write(value.load(as: Data.self), isValid, row, slot, table)
        case .reference:
            preconditionFailure("the accessor of an attribute has the slot of an attribute")
        }
    }

    @inline(__always)
    private func write<Element: ColumnElement>(
        _ value: Element, _ isValid: Bool, _ row: Int32, _ slot: Int, _ table: Int
    ) {
        let offset = Int(row) & ChunkLayout.mask
        let old = block(row, slot, in: table)
        let wasValid = old.isValid(at: offset)
        let isSame =
            wasValid == isValid
            && (!isValid || old.elements(of: Element.self)[offset].isIdentical(to: value))
        if isSame { return }
        let isUnique = access[table].traits[slot].index >= 0
        if isUnique, wasValid { removeFromIndex(row, slot, in: table) }
        let block = writableBlock(row, slot, in: table)
        block.elements(of: Element.self)[offset] = isValid ? value : .unset
        block.setValid(isValid, at: offset)
        if isUnique, isValid { enter(value, of: row, slot, in: table) }
        note(PropertyMask(slot: slot), row, in: table)
    }

    /// Writes an attribute of an existing row from a value without type; the types fit.
    func write(_ datum: Datum, _ row: Int32, _ slot: Int, in table: Int) {
        switch datum {
        case .null: writeNull(row, slot, in: table)
        case .boolean(let value): write(value, true, row, slot, table)
        case .integer(let value): write(value, true, row, slot, table)
        case .double(let value): write(value, true, row, slot, table)
        case .date(let value):
            write(value.timeIntervalSinceReferenceDate, true, row, slot, table)
        case .string(let value): write(value, true, row, slot, table)
        case .uuid(let value): write(value, true, row, slot, table)
        case .data(let value): write(value, true, row, slot, table)
        }
    }

    private func writeNull(_ row: Int32, _ slot: Int, in table: Int) {
        switch access[table].traits[slot].kind {
        case .boolean: write(Bool.unset, false, row, slot, table)
        case .integer: write(Int64.unset, false, row, slot, table)
        case .double: write(Double.unset, false, row, slot, table)
        case .string: write(String.unset, false, row, slot, table)
        case .uuid: write(UUID.unset, false, row, slot, table)
        case .data: write(Data.unset, false, row, slot, table)
        case .reference:
            preconditionFailure("the accessor of an attribute has the slot of an attribute")
        }
    }

    // MARK: - Unique attributes

    /// Enters a row's value into the index of a unique attribute; `nil` is not entered.
    func enterIntoIndex(_ row: Int32, _ slot: Int, in table: Int) {
        let offset = Int(row) & ChunkLayout.mask
        let block = block(row, slot, in: table)
        guard block.isValid(at: offset) else { return }
        switch access[table].traits[slot].kind {
        case .boolean: enter(block.elements(of: Bool.self)[offset], of: row, slot, in: table)
        case .integer: enter(block.elements(of: Int64.self)[offset], of: row, slot, in: table)
        case .double: enter(block.elements(of: Double.self)[offset], of: row, slot, in: table)
        case .string: enter(block.elements(of: String.self)[offset], of: row, slot, in: table)
        case .uuid: enter(block.elements(of: UUID.self)[offset], of: row, slot, in: table)
        case .data: enter(block.elements(of: Data.self)[offset], of: row, slot, in: table)
        case .reference: break
        }
    }

    /// Takes a row's value out of the index of a unique attribute.
    func removeFromIndex(_ row: Int32, _ slot: Int, in table: Int) {
        let offset = Int(row) & ChunkLayout.mask
        let block = block(row, slot, in: table)
        guard block.isValid(at: offset) else { return }
        switch access[table].traits[slot].kind {
        case .boolean: remove(block.elements(of: Bool.self)[offset], of: row, slot, in: table)
        case .integer: remove(block.elements(of: Int64.self)[offset], of: row, slot, in: table)
        case .double: remove(block.elements(of: Double.self)[offset], of: row, slot, in: table)
        case .string: remove(block.elements(of: String.self)[offset], of: row, slot, in: table)
        case .uuid: remove(block.elements(of: UUID.self)[offset], of: row, slot, in: table)
        case .data: remove(block.elements(of: Data.self)[offset], of: row, slot, in: table)
        case .reference: break
        }
    }

    @inline(__always)
    private func enter<Element: ColumnElement>(
        _ value: Element, of row: Int32, _ slot: Int, in table: Int
    ) {
        let blocks = access[table].columns[slot]
        updateIndex(access[table].traits[slot].index, of: table) { index, token in
            index.insert(row, hash: value.indexHash, token: token) { other in
                blocks.element(of: other) == value
            }
        }
    }

    @inline(__always)
    private func remove<Element: ColumnElement>(
        _ value: Element, of row: Int32, _ slot: Int, in table: Int
    ) {
        let blocks = access[table].columns[slot]
        updateIndex(access[table].traits[slot].index, of: table) { index, token in
            index.remove(row, hash: value.indexHash, token: token) { other in
                blocks.element(of: other) == value
            }
        }
    }
}

extension UnsafeMutablePointer<UnsafeMutableRawPointer> {
    /// The element of a row in the column whose blocks these are.
    @inline(__always)
    fileprivate func element<Element: ColumnElement>(of row: Int32) -> Element {
        self[Int(row) &>> ChunkLayout.shift]
            .elements(of: Element.self)[Int(row) & ChunkLayout.mask]
    }
}
