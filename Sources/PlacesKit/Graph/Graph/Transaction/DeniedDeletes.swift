/// Deleted rows that kept links, for a relationship forbids the delete while they are there.
///
/// - Invariant: No row is there twice.
struct DeniedDeletes {
    /// The rows in the order in which they were deleted.
    private(set) var rows: [(table: TableNumber, row: Row)] = []
    /// The same rows, to find one at once.
    private var known: Set<RowAddress> = []

    func contains(_ row: Row, in table: TableNumber) -> Bool {
        known.contains(RowAddress(table: table, row: row))
    }

    /// Adds a row, which may have been deleted before, and have come back.
    mutating func insert(_ row: Row, in table: TableNumber) {
        guard known.insert(RowAddress(table: table, row: row)).inserted else { return }
        rows.append((table, row))
    }

    /// These rows, and others.
    func union(_ others: DeniedDeletes) -> DeniedDeletes {
        if rows.isEmpty { return others }
        var union = self
        for (table, row) in others.rows { union.insert(row, in: table) }
        return union
    }

    /// Forgets the rows that nothing forbids any more to delete.
    mutating func settle(in graph: Graph) {
        guard !rows.isEmpty else { return }
        rows.removeAll { !graph.contains($0.row, in: $0.table) }
        known = Set(rows.lazy.map { RowAddress(table: $0.table, row: $0.row) })
    }
}
