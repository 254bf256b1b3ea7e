/// The rows that a transaction has from the allocator of its store, until they are saved or given back.
struct SuppliedRows {
    /// Rows of each table that nobody had before; their objects may be deleted by now.
    var fresh: [ContiguousArray<RowAllocator.Use>]
    /// Rows of objects that came back after their delete was saved; the transaction holds each.
    var reclaimed: ContiguousArray<RowAddress> = []
    /// Rows that have ended, whose values are cleared in the transaction's graph.
    var cleared: ContiguousArray<RetiredRow> = []

    init(tables: Int) { fresh = Array(repeating: [], count: tables) }

    var isEmpty: Bool {
        reclaimed.isEmpty && cleared.isEmpty && fresh.allSatisfy(\.isEmpty)
    }
}
