/// The rows that a replay has from the allocator of a store, for objects that others made.
///
/// - Invariant: A row that is held is held once more than it would be without the replay.
struct ReplayedRows {
    private let allocator: RowAllocator
    /// Whether others get rows from the allocator, too.
    private let isShared: Bool
    /// The rows of new objects, as long as others do not see them.
    private var new: ContiguousArray<RowAddress> = []
    /// Whether objects came back that had been deleted, which others do not see yet.
    private var hasRevived = false
    /// The rows in which objects came back.
    private var held: ContiguousArray<RowAddress> = []

    /// Takes rows from an allocator; `nil` where nobody else uses any.
    init(_ allocator: RowAllocator?, for graph: Graph) {
        self.allocator = allocator ?? RowAllocator(after: graph)
        isShared = allocator != nil
    }

    /// A transaction that has its rows from there, too.
    func transaction(on graph: Graph) -> Transaction { Transaction(graph, rows: allocator) }

    // MARK: - Taking

    /// A row for a new object.
    mutating func next(in table: TableNumber) -> RowAllocator.Use {
        let use = allocator.next(in: table)
        if isShared { new.append(RowAddress(table: table, row: use.row)) }
        return use
    }

    /// Takes a row that was used so for an object which comes back; false if it is another one's by now.
    mutating func takeBack(_ row: Row, in table: TableNumber, of generation: Int32) -> Bool {
        guard isShared else { return true }
        let address = RowAddress(table: table, row: row)
        guard allocator.hold(address, of: generation) else { return false }
        held.append(address)
        hasRevived = true
        return true
    }

    /// Whether a row was ever handed out to be used so.
    func hasHandedOut(_ use: RowAllocator.Use, in table: TableNumber) -> Bool {
        allocator.hasHandedOut(use, in: table)
    }

    /// Clears rows that have ended, as part of what the transaction makes.
    func clearEnded(in transaction: Transaction) { transaction.clear(allocator.takeEnded()) }

    // MARK: - Giving back

    /// The rows in which objects come back that had been deleted, for those who see some changes.
    ///
    /// - Parameters:
    ///   - changes: What others see.
    ///   - isAll: Whether that is what the transaction made, and nothing else.
    /// - Returns: The rows.
    func revived(by changes: ChangeSet, isAll: Bool) -> [RowAddress] {
        // Mostly there are none, and finding out takes as long as inserting.
        if isAll, !hasRevived { return [] }
        let new = Set(new)
        return changes.insertedRows.filter { !new.contains($0) }
    }

    /// Notes which graph others see now: rows that were cleared can be used again, and so can those of objects that came
    /// and went meanwhile.
    mutating func share(_ graph: Graph, of transaction: Transaction) {
        transaction.suppliedRows.freeCleared()
        allocator.end(ContiguousArray(new.lazy.compactMap { graph.retiredRow($0) }))
        (new, hasRevived) = ([], false)
    }

    /// Ends what rows are kept for, whether anything came of it or not.
    mutating func giveUp(of transaction: Transaction) {
        transaction.suppliedRows.giveBackCleared()
        held.forEach(allocator.release)
        held = []
    }
}
