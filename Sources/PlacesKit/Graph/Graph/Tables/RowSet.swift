/// A set of rows of one table, as a bitmap.
struct RowSet: Sendable, Equatable {
    /// One bit a row, 64 rows a word.
    var words: ContiguousArray<UInt64>

    /// An empty set with room for the rows of `chunks` chunks.
    init(chunks: Int) {
        words = ContiguousArray(repeating: 0, count: chunks * ChunkLayout.words)
    }

    /// The number of rows in the set.
    var count: Int {
        var count = 0
        for word in words { count &+= word.nonzeroBitCount }
        return count
    }

    /// Whether a row is in the set.
    func contains(_ row: Row) -> Bool {
        let word = row.index >> 6
        return !row.isNone && word < words.count && words[word] >> UInt64(row.index & 63) & 1 != 0
    }

    /// Puts a row into the set.
    mutating func insert(_ row: Row) {
        words[row.index >> 6] |= 1 << UInt64(row.index & 63)
    }

    /// Keeps only the rows that `other` has too, which has as much room or more.
    mutating func formIntersection(_ other: RowSet) {
        for index in words.indices { words[index] &= other.words[index] }
    }

    /// Adds the rows of `other`; both have the same room.
    mutating func formUnion(_ other: RowSet) {
        for index in words.indices { words[index] |= other.words[index] }
    }

    /// Takes out the rows of `other`; both have the same room.
    mutating func subtract(_ other: RowSet) {
        for index in words.indices { words[index] &= ~other.words[index] }
    }

    /// The rows that are in one of the sets and not in the other, which may have other room.
    func difference(from other: RowSet) -> Set<Row> {
        var difference: Set<Row> = []
        for (set, other) in [(self, other), (other, self)] {
            set.forEach { if !other.contains($0) { difference.insert($0) } }
        }
        return difference
    }

    /// Calls `body` with every row, in ascending order.
    func forEach(_ body: (Row) -> Void) {
        for (index, var word) in words.enumerated() {
            while word != 0 {
                body(Row(index << 6 + word.trailingZeroBitCount))
                word &= word &- 1
            }
        }
    }

    /// The rows in ascending order.
    var rows: ContiguousArray<Row> {
        var rows = ContiguousArray<Row>()
        rows.reserveCapacity(count)
        forEach { rows.append($0) }
        return rows
    }
}
