/// Deleted rows that kept links, for a relationship forbids the delete while they are there.
///
/// - Invariant: No row is there twice.
struct DeniedDeletes {
    private(set) var rows: [(table: TableNumber, row: Row)] = []

    func contains(_ row: Row, in table: TableNumber) -> Bool {
        rows.contains { $0 == (table, row) }
    }

    /// Adds a row, which may have been deleted before, and have come back.
    mutating func insert(_ row: Row, in table: TableNumber) {
        if !contains(row, in: table) { rows.append((table, row)) }
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
        rows.removeAll { !graph.contains($0.row, in: $0.table) }
    }
}
