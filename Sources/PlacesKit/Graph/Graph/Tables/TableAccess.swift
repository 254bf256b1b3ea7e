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
    /// The ways to look up in the unique indexes.
    let indexes: UnsafeMutablePointer<HashIndexReader>
    let indexCount: Int
    /// The slots of the unique attributes, by index.
    let uniqueSlots: UnsafeMutablePointer<Slot>
    /// Rows that are yet to be entered into the indexes, and how many of each.
    let pending: UnsafeMutablePointer<PendingEntry>
    let pendingCounts: UnsafeMutablePointer<Int>
    /// What each column is: kept here because looking it up in the layout costs retains and releases.
    let traits: UnsafeMutablePointer<ColumnTraits>
    /// The column whose validity bits say which rows exist.
    @usableFromInline let presence: Slot
    /// Whether accessors tell of reads, so that they can be observed.
    @usableFromInline var isTracked = false
    /// Whether texts of chunks may be packed: not before any were in this process, and accessors need not look.
    @usableFromInline private(set) var mayBePacked = false
    /// Whether somebody observes a row.
    var isObserved = false
    /// The masks of all chunks in which nothing is noted.
    @usableFromInline let unchanged: UnsafeMutablePointer<UInt64>
    /// The rows that are noted as changed, in the order in which they were.
    @usableFromInline var noted: UnsafeMutablePointer<Row>
    @usableFromInline var notedCount = 0
    @usableFromInline var notedCapacity = 0
    /// How often a change was noted: it tells of a second one of a row, too.
    @usableFromInline var noteCount = 0
    /// The transaction that owns this; `nil` for prototypes.
    let transaction: Unmanaged<Transaction>?
    let columnCount: Int
    private(set) var chunkCapacity = 0

    init(
        _ layout: TableLayout, of transaction: Transaction?,
        token: UnsafeMutablePointer<UInt64>, unchanged: UnsafeMutablePointer<UInt64>,
        trace: UnsafeMutablePointer<Int32>? = nil
    ) {
        presence = layout.presence
        self.unchanged = unchanged
        noted = .allocate(capacity: 0)
        self.transaction = transaction.map(Unmanaged.passUnretained)
        columnCount = layout.columns.count
        indexCount = layout.uniqueIndexCount
        indexes = .allocate(capacity: indexCount)
        uniqueSlots = .allocate(capacity: indexCount)
        _ = UnsafeMutableBufferPointer(start: uniqueSlots, count: indexCount)
            .initialize(from: layout.uniqueSlots)
        pending = .allocate(capacity: indexCount * PendingEntry.limit)
        pendingCounts = .allocate(capacity: indexCount)
        pendingCounts.initialize(repeating: 0, count: indexCount)
        traits = .allocate(capacity: columnCount)
        for column in layout.columns.slots {
            (traits + column.index).initialize(
                to: ColumnTraits(
                    kind: layout.columns[column].kind,
                    index: layout.uniqueSlots.firstIndex(of: column) ?? -1,
                    uniqueKinds: layout.uniqueKinds[column],
                    followers: column < layout.followers.slots.upperBound
                        ? layout.followers[column].map(Unmanaged.passUnretained) : nil,
                    relationship: column < layout.relationships.slots.upperBound
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
    func contains(_ row: Row) -> Bool {
        guard hasRoom(for: row) else { return false }
        return columns[presence][row.chunk].isValid(at: row.offset)
    }

    /// Whether there are columns to be read at a row, which somebody may have from another context.
    @inline(__always)
    func hasRoom(for row: Row) -> Bool { !row.isNone && row.chunk < chunkCapacity }

    /// What a column holds at a row, whether it counts as a value or not.
    @inline(__always)
    func element<Element: ColumnElement>(_ row: Row, _ column: Slot) -> Element {
        columns[column.index][row.chunk].elements(of: Element.self)[row.offset]
    }

    /// Makes room for `chunks` chunks, and at least doubles the room.
    ///
    /// New chunks are those of `table`, and nothing is noted in them.
    mutating func grow(to chunks: Int, of table: Table) {
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

    /// Points at the chunks and the indexes of `table`, where they are not those of `old`, at which
    /// it points.
    mutating func refresh(from table: Table, replacing old: Table) {
        refreshIndexes(from: table)
        for column in 0..<columnCount {
            table.columns[column].forEachChunk(differingFrom: old.columns[column]) { chunk in
                guard chunk < chunkCapacity else { return }
                columns[column][chunk] = table.columns[column].block(chunk)
            }
        }
    }

    /// Points at the indexes of `table`, whose chunks are those that are read from now on.
    mutating func refreshIndexes(from table: Table) {
        mayBePacked = PackedTexts.wereMade
        for index in 0..<indexCount {
            (indexes + index).initialize(to: table.uniqueIndexes[index].reader)
        }
    }

    /// Forgets the rows that are yet to be entered into the indexes.
    func dropPending() {
        pendingCounts.update(repeating: 0, count: indexCount)
    }

    func deallocate() {
        indexes.deallocate()
        uniqueSlots.deallocate()
        pending.deallocate()
        pendingCounts.deallocate()
        for chunk in 0..<chunkCapacity where changes[chunk] != unchanged {
            changes[chunk].deallocate()
        }
        noted.deallocate()
        for column in 0..<columnCount { columns[column].deallocate() }
        columns.deallocate()
        changes.deallocate()
        traits.deallocate()
    }
}

// MARK: - Notes

extension TableAccess {
    /// The properties of a row that are noted as changed.
    func changes(of row: Row) -> PropertyMask {
        PropertyMask(
            rawValue: changes[row.chunk][row.offset])
    }

    /// The rows that are noted as changed, until one more is.
    var notedRows: UnsafeBufferPointer<Row> {
        UnsafeBufferPointer(start: noted, count: notedCount)
    }

    /// Notes that a row changed.
    @inline(__always)
    mutating func note(_ mask: PropertyMask, _ row: Row) {
        noteCount &+= 1
        let chunk = row.chunk
        if changes[chunk] == unchanged { makeMasks(of: chunk) }
        let address = changes[chunk] + row.offset
        if address.pointee == 0 {
            if notedCount == notedCapacity { growNotes() }
            noted[notedCount] = row
            notedCount &+= 1
        }
        address.pointee |= mask.rawValue
    }

    /// Makes `mask` all that is noted of a row.
    func replaceNote(of row: Row, with mask: PropertyMask) {
        changes[row.chunk][row.offset] = mask.rawValue
    }

    /// Forgets all notes.
    mutating func clearNotes() {
        for row in notedRows { replaceNote(of: row, with: []) }
        notedCount = 0
    }

    @inline(never)
    private func makeMasks(of chunk: Int) {
        changes[chunk] = .allocate(capacity: ChunkLayout.rows)
        changes[chunk].initialize(repeating: 0, count: ChunkLayout.rows)
    }

    @inline(never)
    private mutating func growNotes() {
        let grown = UnsafeMutablePointer<Row>.allocate(capacity: max(64, notedCapacity * 2))
        grown.update(from: noted, count: notedCount)
        noted.deallocate()
        noted = grown
        notedCapacity = max(64, notedCapacity * 2)
    }
}

extension UnsafeMutablePointer<TableAccess> {
    /// Notes the change of an attribute of an existing row, and gives the block to write it to, where
    /// that needs nothing but a few stores: the chunk is the transaction's own, and there is room
    /// for the note.
    ///
    /// - Returns: `nil` where the transaction has to do it.
    @inlinable
    func notedBlock(_ row: Row, _ slot: Slot) -> UnsafeMutableRawPointer? {
        let chunk = row.chunk
        let offset = row.offset
        let block = pointee.columns[slot.index][chunk]
        let masks = pointee.changes[chunk]
        guard block.chunkOwner == pointee.token.pointee, masks != pointee.unchanged,
            pointee.notedCount < pointee.notedCapacity,
            pointee.columns[pointee.presence.index][chunk].isValid(at: offset)
        else { return nil }
        if masks[offset] == 0 {
            pointee.noted[pointee.notedCount] = row
            pointee.notedCount &+= 1
        }
        pointee.noteCount &+= 1
        masks[offset] |= PropertyMask(slot: slot).rawValue
        return block
    }
}

/// What a column is.
struct ColumnTraits: BitwiseCopyable {
    let kind: ColumnKind
    /// The number of the column's unique index in its table; negative without one.
    let index: Int
    /// The rows that the index is of; `nil` for all of the table.
    let uniqueKinds: RowKinds?
    /// Whether somebody observes the column, so that writes must not take the accessors' shortcut.
    var isObserved = false
    /// What follows the column; the layout keeps it alive.
    let followers: Unmanaged<ColumnFollowers>?
    /// How the relationship whose slot this is is stored.
    let relationship: RelationshipLayout?
}
