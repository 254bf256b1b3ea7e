import Foundation

extension Transaction {
    /// Writes an attribute of an existing row, notes the change and keeps what follows it; writing the value that is already there does nothing.
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
        case .decimal: write(value.load(as: Decimal.self), isValid, row, slot, table)
        case .string: write(value.load(as: String.self), isValid, row, slot, table)
        case .uuid: write(value.load(as: UUID.self), isValid, row, slot, table)
        case .data: write(value.load(as: Data.self), isValid, row, slot, table)
        case .reference:
            preconditionFailure("the accessor of an attribute has the slot of an attribute")
        }
    }

    @inline(__always)
    func write<Element: ColumnElement>(
        _ value: Element, _ isValid: Bool, _ row: Int32, _ slot: Int, _ table: Int
    ) {
        let offset = Int(row) & ChunkLayout.mask
        let old = block(row, slot, in: table)
        let isSame =
            old.isValid(at: offset) == isValid
            && (!isValid || old.elements(of: Element.self)[offset].isIdentical(to: value))
        if isSame { return }
        let isUnique = access[table].traits[slot].index >= 0
        if isUnique { removeFromIndex(row, slot, in: table) }
        let followers = followers(of: slot, in: table)
        if let followers { leave(followers, row, in: table) }
        let block = writableBlock(row, slot, in: table)
        block.elements(of: Element.self)[offset] = value
        block.setValid(isValid, at: offset)
        if isUnique { enterIntoIndex(row, slot, in: table) }
        if let followers { join(followers, row, in: table) }
        note(PropertyMask(slot: slot), row, in: table)
    }

    /// Writes an attribute of an existing row from a value without type; the types fit.
    func write(_ datum: Datum, _ row: Int32, _ slot: Int, in table: Int) {
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
        case .data(let value): write(value, true, row, slot, table)
        }
    }

    /// Writes that a row holds no value; an attribute that must have one reads as its type's blank.
    private func writeNull(_ row: Int32, _ slot: Int, in table: Int) {
        let attribute = graph.schema.entities[table].properties[slot].attribute
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
        case .reference:
            preconditionFailure("the accessor of an attribute has the slot of an attribute")
        }
    }

    // MARK: - Unique attributes

    /// Enters a row's value into the index of a unique attribute; `nil` is not entered.
    func enterIntoIndex(_ row: Int32, _ slot: Int, in table: Int) {
        guard let (index, hash, isEqual) = indexEntry(row, slot, in: table) else { return }
        updateIndex(index, of: table) { index, token in
            index.insert(row, hash: hash, token: token, where: isEqual)
        }
    }

    /// Takes a row's value out of the index of a unique attribute.
    func removeFromIndex(_ row: Int32, _ slot: Int, in table: Int) {
        guard let (index, hash, isEqual) = indexEntry(row, slot, in: table) else { return }
        updateIndex(index, of: table) { index, token in
            index.remove(row, hash: hash, token: token, where: isEqual)
        }
    }

    /// The index of a unique attribute, the hash of a row's value, and which rows hold the same.
    private func indexEntry(
        _ row: Int32, _ slot: Int, in table: Int
    ) -> (index: Int, hash: Int, isEqual: (Int32) -> Bool)? {
        let offset = Int(row) & ChunkLayout.mask
        let block = block(row, slot, in: table)
        let index = access[table].traits[slot].index
        guard block.isValid(at: offset), index >= 0 else { return nil }
        @inline(__always)
        func entry<Element: ColumnElement>(
            _ type: Element.Type
        ) -> (index: Int, hash: Int, isEqual: (Int32) -> Bool) {
            let value = block.elements(of: Element.self)[offset]
            return (
                index, value.indexHash,
                { [self] other in
                    self.block(other, slot, in: table)
                        .elements(of: Element.self)[Int(other) & ChunkLayout.mask] == value
                }
            )
        }
        return switch access[table].traits[slot].kind {
        case .boolean: entry(Bool.self)
        case .integer: entry(Int64.self)
        case .double: entry(Double.self)
        case .decimal: entry(Decimal.self)
        case .string: entry(String.self)
        case .uuid: entry(UUID.self)
        case .data: entry(Data.self)
        case .reference: nil
        }
    }
}

extension ColumnElement {
    /// The hash under which the index of a unique attribute keeps this value.
    @inline(__always)
    var indexHash: Int {
        if let number = self as? Int64 { return UInt64(bitPattern: number).mixed }
        return hashValue
    }
}
