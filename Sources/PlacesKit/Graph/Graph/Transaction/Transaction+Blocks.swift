// The blocks of memory in which elements lie, and which the transaction may write.

extension Transaction {
    /// The owner of chunks that only calls of this transaction may write, not the shortcut of the
    /// accessors: those of columns that an index or a derived attribute must follow, or of blobs.
    private static func guarded(_ token: UInt64) -> UInt64 { token | 1 << 63 }

    /// Whether the transaction of a token may write a chunk as it lies.
    static func mayWrite(_ block: UnsafeMutableRawPointer, token: UInt64) -> Bool {
        block.chunkOwner | 1 << 63 == guarded(token)
    }

    /// The block in which a row's element of a column lies.
    @inline(__always)
    func block(_ row: Row, _ column: Slot, in table: TableNumber) -> UnsafeMutableRawPointer {
        access[table].columns[column][row.chunk]
    }

    /// The same block, made writable.
    @inline(__always)
    func writableBlock(_ row: Row, _ column: Slot, in table: TableNumber) -> UnsafeMutableRawPointer
    {
        let block = block(row, column, in: table)
        return block.chunkOwner == token.pointee ? block : ownedBlock(row, column, in: table)
    }

    @inline(never)
    private func ownedBlock(
        _ row: Row, _ column: Slot, in table: TableNumber
    ) -> UnsafeMutableRawPointer {
        let chunk = row.chunk
        let block = access[table].columns[column][chunk]
        let owner = owner(ofChunksOf: column, in: table)
        if block.chunkOwner == owner { return block }
        let copy = current.tables[table].columns[column].writableBlock(chunk, token: owner)
        access[table].columns[column][chunk] = copy
        return copy
    }

    /// The owner of the chunks of a column that this transaction makes.
    private func owner(ofChunksOf column: Slot, in table: TableNumber) -> UInt64 {
        let traits = access[table].traits[column]
        let isGuarded =
            (traits.index >= 0 || traits.followers != nil || traits.isObserved
                || traits.kind == .blob) && table < entityTables.upperBound
        return isGuarded ? Self.guarded(token.pointee) : token.pointee
    }

    /// The token under which this transaction writes now.
    var currentToken: UInt64 { token.pointee }

    /// A chunk that this transaction may write, with what a chunk of a column holds, which it
    /// replaces when it is adopted.
    ///
    /// Several threads may make chunks at a time, while the transaction rests.
    func makeChunk(_ chunk: Int, _ column: Slot, in table: TableNumber) -> Chunk {
        Chunk(
            owner: owner(ofChunksOf: column, in: table),
            copying: current.tables[table].columns[column].chunk(chunk))
    }

    /// Makes what a filler filled part of the graph.
    func adopt(_ filled: FilledChunk) {
        let table = filled.table
        for (column, chunk) in filled.columns {
            current.tables[table].columns[column]
                .put(chunk, at: filled.chunk, token: chunk.block.chunkOwner)
            access[table].columns[column][filled.chunk] = chunk.block
        }
        current.tables[table].noteRows(filled.count, below: filled.upperBound)
    }

    /// What a column holds at a row, whether it counts as a value or not.
    @inline(__always)
    func element<Element: ColumnElement>(
        _ type: Element.Type, _ row: Row, _ column: Slot, in table: TableNumber
    ) -> Element {
        (access + table.index).pointee.element(row, column)
    }

    /// What a reference column holds at a row.
    @inline(__always)
    func reference(_ row: Row, _ column: Slot, in table: TableNumber) -> Row {
        element(Row.self, row, column, in: table)
    }

    /// The number of members of a list.
    func count(of owner: Row, _ list: ListLayout) -> Int {
        max(0, Int(element(Int32.self, owner, list.count, in: list.owners)))
    }

    /// Writes a reference column at a row.
    @inline(__always)
    func setReference(_ row: Row, _ column: Slot, in table: TableNumber, to target: Row) {
        setElement(target.rawValue, row, column, in: table)
    }

    /// Writes a reference column, or one of counts or kinds, at a row.
    func setElement(_ element: Int32, _ row: Row, _ column: Slot, in table: TableNumber) {
        if self.element(Int32.self, row, column, in: table) == element { return }
        let block = writableBlock(row, column, in: table)
        block.elements(of: Int32.self)[row.offset] = element
        block.setValid(element >= 0, at: row.offset)
    }
}
