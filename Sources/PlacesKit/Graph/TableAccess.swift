/// The addresses through which the rows of one table are read and written without a call.
///
/// A transaction keeps one for each table at a fixed address and updates it when it replaces a chunk.
/// An object's accessors go from here straight to the element: column, chunk, offset.
@usableFromInline
struct TableAccess {
    /// The block of each chunk of each column.
    @usableFromInline let columns:
        UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutableRawPointer>>
    /// For each row the properties that the transaction has already noted as changed.
    @usableFromInline var changes: UnsafeMutablePointer<UnsafeMutablePointer<UInt64>>
    /// The token of the transaction.
    @usableFromInline let token: UnsafeMutablePointer<UInt64>
    /// Where accessors of a prototype note the slots that they were asked for: a count, then slots.
    @usableFromInline let trace: UnsafeMutablePointer<Int32>?
    /// What each column is: kept here because looking it up in the layout costs retains and releases.
    let traits: UnsafeMutablePointer<ColumnTraits>
    /// The column whose validity bits say which rows exist.
    private let presence: Int
    /// The transaction that owns this; `nil` for prototypes.
    unowned(unsafe) let transaction: Transaction?
    private let columnCount: Int
    private(set) var chunkCapacity = 0

    init(
        _ layout: TableLayout, of transaction: Transaction?,
        token: UnsafeMutablePointer<UInt64>, trace: UnsafeMutablePointer<Int32>? = nil
    ) {
        presence = layout.presence
        self.transaction = transaction
        columnCount = layout.columns.count
        traits = .allocate(capacity: columnCount)
        for column in 0..<columnCount {
            (traits + column).initialize(
                to: ColumnTraits(
                    kind: layout.columns[column].kind,
                    index: layout.uniqueSlots.firstIndex(of: column) ?? -1,
                    relationship: column < layout.relationships.count
                        ? layout.relationships[column] : nil))
        }
        self.token = token
        self.trace = trace
        columns = .allocate(capacity: columnCount)
        for column in 0..<columnCount { columns[column] = .allocate(capacity: 0) }
        changes = .allocate(capacity: 0)
    }

    /// Whether a row exists.
    @inline(__always)
    func contains(_ row: Int) -> Bool {
        let chunk = row &>> ChunkLayout.shift
        guard row >= 0, chunk < chunkCapacity else { return false }
        return columns[presence][chunk].isValid(at: row & ChunkLayout.mask)
    }

    /// Makes room for `chunks` chunks, and at least doubles the room.
    ///
    /// New chunks are those of `table`; their changes are `unchanged`.
    mutating func grow(
        to chunks: Int, of table: Table, unchanged: UnsafeMutablePointer<UInt64>
    ) {
        let capacity = Swift.max(chunks, chunkCapacity * 2, 4)
        for column in 0..<columnCount {
            let blocks = UnsafeMutablePointer<UnsafeMutableRawPointer>
                .allocate(capacity: capacity)
            blocks.update(from: columns[column], count: chunkCapacity)
            for chunk in chunkCapacity..<capacity {
                blocks[chunk] = table.columns[column].block(chunk)
            }
            columns[column].deallocate()
            columns[column] = blocks
        }
        let grown = UnsafeMutablePointer<UnsafeMutablePointer<UInt64>>.allocate(capacity: capacity)
        grown.update(from: changes, count: chunkCapacity)
        for chunk in chunkCapacity..<capacity { grown[chunk] = unchanged }
        changes.deallocate()
        changes = grown
        chunkCapacity = capacity
    }

    /// Points at the chunks of `table`.
    func refresh(from table: Table) {
        for column in 0..<columnCount {
            for chunk in 0..<chunkCapacity {
                columns[column][chunk] = table.columns[column].block(chunk)
            }
        }
    }

    func deallocate() {
        for column in 0..<columnCount { columns[column].deallocate() }
        columns.deallocate()
        changes.deallocate()
        traits.deallocate()
    }
}

/// What a column is.
struct ColumnTraits: BitwiseCopyable {
    let kind: ColumnKind
    /// The number of the column's unique index in its table; negative without one.
    let index: Int
    /// How the relationship whose slot this is is stored.
    let relationship: RelationshipLayout?
}
