import Foundation

/// Makes the index of a unique attribute at one go, of rows that nobody has seen yet.
///
/// It knows where the values lie, and nothing else of the transaction, so it may do that on any thread while
/// links are tied, as long as the attribute stays as it is and no rows come or go.
struct UniqueIndexBuilder {
    let table: TableNumber
    /// The number of the index in its table.
    let number: Int
    private let kind: ColumnKind
    private let values: UnsafeMutablePointer<UnsafeMutableRawPointer>
    private let presence: UnsafeMutablePointer<UnsafeMutableRawPointer>
    private let upperBound: Int
    private let rowKinds: RowKinds?
    /// Where the kinds lie of rows that are told apart by them.
    private let kinds: UnsafeMutablePointer<UnsafeMutableRawPointer>
    private let token: UInt64

    init(_ number: Int, of table: TableNumber, in transaction: Transaction) {
        self.table = table
        self.number = number
        let access = transaction.access[table]
        let slot = access.uniqueSlots[number]
        kind = access.traits[slot].kind
        values = access.columns[slot]
        presence = access.columns[access.presence]
        rowKinds = access.traits[slot].uniqueKinds
        kinds = access.columns[rowKinds?.column ?? access.presence]
        upperBound = transaction.graph.tables[table].upperBound
        token = transaction.currentToken
    }

    /// The index of all rows there are.
    func build() -> HashIndex {
        switch kind {
        case .boolean: build(Bool.self)
        case .integer: build(Int64.self)
        case .double: build(Double.self)
        case .decimal: build(Decimal.self)
        case .string: build(String.self)
        case .uuid: build(UUID.self)
        case .data: build(Data.self)
        case .blob: build(Blob.self)
        case .reference: HashIndex()
        }
    }

    @inline(__always)
    private func build<Element: ColumnElement>(_ type: Element.Type) -> HashIndex {
        var index = HashIndex(roomFor: upperBound)
        withUnsafeTemporaryAllocation(of: PendingEntry.self, capacity: PendingEntry.limit) {
            entries in
            var count = 0
            func enter() {
                index.insert(
                    UnsafeMutableBufferPointer(rebasing: entries[..<count]), token: token
                ) {
                    values.address(of: type, $0).pointee == values.address(of: type, $1).pointee
                }
                count = 0
            }
            for row in Row(0)..<Row(upperBound) {
                let (chunk, offset) = (row.chunk, row.offset)
                guard presence[chunk].isValid(at: offset), values[chunk].isValid(at: offset) else {
                    continue
                }
                if let rowKinds, !rowKinds.contains(row, kinds[chunk]) { continue }
                let block = values[chunk]
                let hash =
                    type == String.self
                    ? block.textHash(at: offset) : block.slots(of: type)[offset].indexHash
                entries.initializeElement(at: count, to: PendingEntry(hash: hash, row: row))
                count += 1
                if count == entries.count { enter() }
            }
            enter()
        }
        return index
    }
}
