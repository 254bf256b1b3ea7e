/// Rows that have ended, in the order in which they did, each of which can be taken out.
///
/// - Invariant: No row is there twice.
/// - Invariant: `positions` has the first of the rows, up to some position, by their addresses.
struct EndedRows {
    /// How many rows more may have been taken out than are there.
    private static let slack = 64

    /// The rows; `nil` for those that were taken out.
    private var rows: ContiguousArray<RetiredRow?> = []
    /// Where the rows are that were there when one was last looked for: most are never looked for.
    private var positions: [RowAddress: Int] = [:]
    /// How many rows were looked at for that.
    private var knownCount = 0
    /// How many rows there are.
    private(set) var count = 0

    mutating func append(_ row: RetiredRow) {
        rows.append(row)
        count += 1
    }

    /// Takes a row out, if it is there.
    ///
    /// - Complexity: O(1) on average, besides O(1) for each row that came since a row was last looked for.
    mutating func remove(_ address: RowAddress) -> RetiredRow? {
        for position in knownCount..<rows.count {
            if let row = rows[position] { positions[row.address] = position }
        }
        knownCount = rows.count
        guard let position = positions.removeValue(forKey: address) else { return nil }
        let row = rows[position]
        rows[position] = nil
        count -= 1
        if rows.count > 2 * count + Self.slack { closeGaps() }
        return row
    }

    private mutating func closeGaps() {
        rows.removeAll { $0 == nil }
        (positions, knownCount) = ([:], 0)
    }

    /// Takes all rows.
    mutating func takeAll() -> ContiguousArray<RetiredRow> {
        defer { self = EndedRows() }
        return all
    }

    /// How many rows have memory, those that were taken out included.
    var room: Int { rows.count }

    /// All rows.
    var all: ContiguousArray<RetiredRow> { ContiguousArray(rows.lazy.compactMap(\.self)) }
}
