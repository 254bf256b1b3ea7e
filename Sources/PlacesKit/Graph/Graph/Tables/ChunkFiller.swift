import Foundation

/// Fills the rows of one chunk of a table, apart from the transaction that gets them.
///
/// The rows are ones that nobody has seen yet, as when a document is opened: they get their values without
/// being noted as changed, and neither indexes nor derived attributes follow. Nothing that is shared is
/// written, so several chunks are filled at a time, each on a thread of its own, while the transaction rests.
/// What is filled belongs to the graph when the transaction has adopted it.
struct ChunkFiller: ~Copyable {
    let table: TableNumber
    /// The number of the chunk.
    let chunk: Int
    private let transaction: Unmanaged<Transaction>
    private let token: UInt64
    private let presence: Slot
    private let traits: UnsafeMutablePointer<ColumnTraits>
    private let columnCount: Int
    /// The block of each column: the transaction's, until a value comes that it may not be given.
    private let blocks: UnsafeMutablePointer<UnsafeMutableRawPointer>
    private var filled: FilledChunk

    /// Goes on in a chunk of a transaction that is not freed meanwhile and has room for it.
    init(_ chunk: Int, of table: TableNumber, in transaction: Transaction) {
        self.table = table
        self.chunk = chunk
        self.transaction = .passUnretained(transaction)
        token = transaction.currentToken
        let access = transaction.access[table]
        (presence, traits) = (access.presence, access.traits)
        columnCount = access.columnCount
        blocks = .allocate(capacity: columnCount)
        for column in 0..<columnCount {
            (blocks + column).initialize(to: access.columns[column][chunk])
        }
        filled = FilledChunk(table: table, chunk: chunk)
    }

    deinit { blocks.deallocate() }

    /// What was filled since this was asked before.
    mutating func take() -> FilledChunk {
        defer { filled = FilledChunk(table: table, chunk: chunk) }
        return filled
    }

    /// Gives back the memory that is left for texts, when no more come.
    ///
    /// The transaction must still be there.
    func trim() {
        for column in 0..<columnCount where (traits + column).pointee.kind == .string {
            if Transaction.mayWrite(blocks[column], token: token) {
                blocks[column].trimPackedTexts()
            }
        }
    }

    // MARK: - Rows

    /// Whether a row of the chunk exists.
    func contains(_ row: Row) -> Bool { isValid(row, presence) }

    /// Whether a row of the chunk holds a value.
    func isValid(_ row: Row, _ slot: Slot) -> Bool {
        blocks[slot].isValid(at: row.offset)
    }

    /// Makes a row of the chunk exist, with the defaults; it must never have existed.
    mutating func makePresent(_ row: Row) {
        writableBlock(presence).setValid(true, at: row.offset)
        filled.count += 1
        filled.upperBound = max(filled.upperBound, row.index + 1)
    }

    /// Gives an attribute of a row its value; the type fits.
    @inline(__always)
    mutating func load<Element: ColumnElement>(
        _ value: consuming Element, _ row: Row, _ slot: Slot
    ) {
        let offset = row.offset
        let block = writableBlock(slot)
        if Element.self == String.self, let text = (copy value) as? String {
            block.put(text, at: offset)
        } else {
            block.elements(of: Element.self)[offset] = value
        }
        block.setValid(true, at: offset)
    }

    /// Gives an attribute of a row its text, which is valid UTF-8.
    @inline(__always)
    mutating func load(text utf8: UnsafeRawBufferPointer, _ row: Row, _ slot: Slot) {
        let block = writableBlock(slot)
        // What follows a column reads its texts at once.
        if traits[slot].followers != nil || !block.pack(utf8, at: row.offset) {
            block.put(String(decoding: utf8, as: UTF8.self), at: row.offset)
        }
        block.setValid(true, at: row.offset)
    }

    /// Gives an attribute of a row a value without type; the types fit.
    mutating func load(_ datum: Datum, _ row: Row, _ slot: Slot) {
        switch datum {
        case .null: loadNull(row, slot)
        case .boolean(let value): load(value, row, slot)
        case .integer(let value): load(value, row, slot)
        case .unsigned(let value): load(value.ordered, row, slot)
        case .decimal(let value): load(value, row, slot)
        case .double(let value): load(value, row, slot)
        case .date(let value): load(value.timeIntervalSinceReferenceDate, row, slot)
        case .string(let value): load(value, row, slot)
        case .uuid(let value): load(value, row, slot)
        case .data(let value) where traits[slot].kind == .blob:
            load(Blob.holding(value), row, slot)
        case .data(let value): load(value, row, slot)
        }
    }

    private mutating func loadNull(_ row: Row, _ slot: Slot) {
        switch traits[slot].kind {
        case .boolean: load(Bool.unset, row, slot)
        case .integer: load(Int64.unset, row, slot)
        case .double: load(Double.unset, row, slot)
        case .decimal: load(Decimal.unset, row, slot)
        case .string: load(String.unset, row, slot)
        case .uuid: load(UUID.unset, row, slot)
        case .data: load(Data.unset, row, slot)
        case .blob: load(Blob.unset, row, slot)
        case .reference: return
        }
        writableBlock(slot).setValid(false, at: row.offset)
    }

    // MARK: - Blocks

    @inline(__always)
    private mutating func writableBlock(_ column: Slot) -> UnsafeMutableRawPointer {
        let block = blocks[column]
        return Transaction.mayWrite(block, token: token) ? block : makeBlock(column)
    }

    @inline(never)
    private mutating func makeBlock(_ column: Slot) -> UnsafeMutableRawPointer {
        let made = transaction._withUnsafeGuaranteedRef {
            $0.makeChunk(chunk, column, in: table)
        }
        filled.columns.append((column, made))
        blocks[column] = made.block
        return made.block
    }
}

/// What a filler made of a chunk of a table.
struct FilledChunk: Sendable {
    let table: TableNumber
    /// The number of the chunk.
    let chunk: Int
    /// The columns that had no chunk that could be filled, each with its new one.
    fileprivate(set) var columns: [(column: Slot, chunk: Chunk)] = []
    /// How many rows came into existence.
    fileprivate(set) var count = 0
    /// One more than the highest of them.
    fileprivate(set) var upperBound = 0
}
