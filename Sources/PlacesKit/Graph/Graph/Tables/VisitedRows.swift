/// The rows of a table to which a walk came.
///
/// Memory for the chunks in which some lie; and a row whose neighbour came before it is found without a search.
struct VisitedRows {
    /// The bits of the chunks that are known, one after another.
    private var words: ContiguousArray<UInt64> = []
    /// Where the bits of a chunk begin.
    private var starts: [Int: Int] = [:]
    private var latest = (chunk: -1, start: 0)

    /// Adds a row; returns whether it is new.
    mutating func insert(_ row: Row) -> Bool {
        if row.chunk != latest.chunk { latest = (row.chunk, start(of: row.chunk)) }
        let index = latest.start + row.offset >> 6
        let bit: UInt64 = 1 << UInt64(row.offset & 63)
        defer { words[index] |= bit }
        return words[index] & bit == 0
    }

    private mutating func start(of chunk: Int) -> Int {
        if let start = starts[chunk] { return start }
        let start = words.count
        starts[chunk] = start
        words.append(contentsOf: repeatElement(0, count: ChunkLayout.words))
        return start
    }
}
