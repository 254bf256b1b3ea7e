import Foundation

/// A row whose value waits to be entered into an index.
///
/// A slot of a large index is seldom near the processor. Rows that are entered together wait for all
/// their slots at once, and not for one after the other: that takes a fifth off inserting.
struct PendingEntry: BitwiseCopyable {
    /// How many rows of an index wait at most.
    static let limit = 64

    var hash: Int
    var row: Row
    /// What lay in the first slot for the hash; read only so that the slot comes near.
    var slot = HashIndex.vacant
}

extension Transaction {
    /// Whether an attribute is unique among rows to which a row belongs.
    @inline(__always)
    func isIndexed(_ row: Row, _ slot: Slot, in table: TableNumber) -> Bool {
        guard access[table].traits[slot].index >= 0 else { return false }
        guard let kinds = access[table].traits[slot].uniqueKinds else { return true }
        return kinds.contains(row, block(row, kinds.column, in: table))
    }

    /// Enters a row's value into the index of a unique attribute; `nil` is not entered.
    func enterIntoIndex(_ row: Row, _ slot: Slot, in table: TableNumber) {
        let offset = row.offset
        let block = block(row, slot, in: table)
        guard block.isValid(at: offset), isIndexed(row, slot, in: table) else { return }
        let hash =
            switch access[table].traits[slot].kind {
            case .boolean: block.elements(of: Bool.self)[offset].indexHash
            case .integer: block.elements(of: Int64.self)[offset].indexHash
            case .double: block.elements(of: Double.self)[offset].indexHash
            case .decimal: block.elements(of: Decimal.self)[offset].indexHash
            case .string: block.elements(of: String.self)[offset].indexHash
            case .uuid: block.elements(of: UUID.self)[offset].indexHash
            case .data: block.elements(of: Data.self)[offset].indexHash
            case .blob: block.elements(of: Blob.self)[offset].indexHash
            case .reference: 0
            }
        enter(row, slot, in: table, hash: hash)
    }

    /// Lets a row whose value has a hash wait until it is entered into the index of an attribute.
    @inline(__always)
    func enter(_ row: Row, _ slot: Slot, in table: TableNumber, hash: Int) {
        let index = access[table].traits[slot].index
        if access[table].pendingCounts[index] == PendingEntry.limit { enterPending() }
        let position = access[table].pendingCounts[index]
        access[table].pending[index * PendingEntry.limit + position] =
            PendingEntry(hash: hash, row: row)
        access[table].pendingCounts[index] = position + 1
        waiting.hasEntries = true
    }

    /// Enters all rows that wait.
    @inline(never)
    func enterPending() {
        waiting.hasEntries = false
        for table in entityTables {
            for index in 0..<access[table].indexCount where access[table].pendingCounts[index] > 0 {
                enterPending(index, of: table)
                access[table].pendingCounts[index] = 0
            }
        }
    }

    private func enterPending(_ index: Int, of table: TableNumber) {
        let pending = UnsafeMutableBufferPointer(
            start: access[table].pending + index * PendingEntry.limit,
            count: access[table].pendingCounts[index])
        let slot = access[table].uniqueSlots[index]
        let blocks = access[table].columns[slot]
        @inline(__always)
        func enter<Element: ColumnElement>(_ type: Element.Type) {
            updateIndex(index, of: table) { index, token in
                index.insert(pending, token: token) {
                    blocks.address(of: type, $0).pointee == blocks.address(of: type, $1).pointee
                }
            }
        }
        switch access[table].traits[slot].kind {
        case .boolean: enter(Bool.self)
        case .integer: enter(Int64.self)
        case .double: enter(Double.self)
        case .decimal: enter(Decimal.self)
        case .string: enter(String.self)
        case .uuid: enter(UUID.self)
        case .data: enter(Data.self)
        case .blob: enter(Blob.self)
        case .reference: break
        }
    }

    /// Takes a row's value out of the index of a unique attribute.
    func removeFromIndex(_ row: Row, _ slot: Slot, in table: TableNumber) {
        let offset = row.offset
        guard block(row, slot, in: table).isValid(at: offset), isIndexed(row, slot, in: table)
        else { return }
        if waiting.hasEntries { enterPending() }
        let blocks = access[table].columns[slot]
        @inline(__always)
        func remove<Element: ColumnElement>(_ type: Element.Type) {
            let value = blocks.address(of: type, row).pointee
            updateIndex(access[table].traits[slot].index, of: table) { index, token in
                index.remove(row, hash: value.indexHash, token: token) {
                    blocks.address(of: type, $0).pointee == value
                }
            }
        }
        switch access[table].traits[slot].kind {
        case .boolean: remove(Bool.self)
        case .integer: remove(Int64.self)
        case .double: remove(Double.self)
        case .decimal: remove(Decimal.self)
        case .string: remove(String.self)
        case .uuid: remove(UUID.self)
        case .data: remove(Data.self)
        case .blob: remove(Blob.self)
        case .reference: break
        }
    }
}

extension UnsafeMutablePointer<UnsafeMutableRawPointer> {
    /// Where the element of a row lies in the column whose blocks these are.
    @inline(__always)
    func address<Element: ColumnElement>(
        of type: Element.Type, _ row: Row
    ) -> UnsafeMutablePointer<Element> {
        self[row.chunk].elements(of: type)
            + row.offset
    }
}
