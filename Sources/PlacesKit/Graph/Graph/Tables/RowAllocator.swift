import PlacesBase
import Synchronization

/// Hands out rows to the transactions of a store: none to two of them, and none while anybody may still
/// mean by it the object that it was.
///
/// A row is on one of these ways at a time:
/// - It is *in use* from when it is handed out until its object is deleted by a commit, or comes to nothing.
/// - It is *retired* then, in the `GraphLifetime` of the latest graph in which the object may live.
/// - It has *ended* when that lifetime has, and nobody holds the row beyond it. Its values wait for a save to
///   clear them.
/// - It is *free* when they are cleared.
///
/// Who knows a row without keeping a graph in which its object lived *holds* it: the handle of an object that
/// is gone, the undo of a delete, a transaction in which an object has come back, and a delete that a shared log does not
/// have yet.
///
/// Sendable, for it holds nothing but atomic counters, which lie at an address so that counting references
/// does not cost more than counting rows, and what a mutex guards.
final class RowAllocator: @unchecked Sendable {
    /// A row that is handed out.
    struct Use {
        var row: Row
        /// How often it was used before.
        var generation: Int32
    }

    /// For each table how many rows were ever handed out.
    private let counters: UnsafeMutablePointer<Atomic<Int>>
    /// For each table how many rows are free.
    private let freeCounts: UnsafeMutablePointer<Atomic<Int>>
    private let count: Int
    private let state: Mutex<State>
    /// How many rows a save clears at least: doing it copies chunks.
    private let batch: Int
    /// Whether a generation is that of one row of a table, since objects are known by it alone (`RowNumbers`).
    private let isShared: Bool
    private let rowLimit: Int

    private struct State {
        /// The free rows of each table.
        var free: [ContiguousArray<Use>]
        /// Those that wait to be cleared.
        var ended = EndedRows()
        /// What differs from the usual way of rows.
        var exceptions: [RowAddress: Exception] = [:]
        /// The generations that each table has had, where they are counted together.
        var generations: [Int32]
        /// The latest generation of each row that was cleared, where they are counted together.
        var latest: [RowAddress: Int32] = [:]
    }

    /// What is known of a row that somebody holds, or whose object came back.
    private struct Exception {
        /// How many hold it.
        var holds = 0
        /// The row as it has ended, but for who holds it.
        var ended: RetiredRow?
        /// How many of the lifetimes in which it was retired mean nothing any more, for its object came back.
        var revivals = 0

        var isOver: Bool { holds == 0 && revivals == 0 }
    }

    /// Makes an allocator whose saves clear rows in batches of at least some.
    init(tables: Int, clearing batch: Int = 64, isShared: Bool = false) {
        count = tables
        (self.batch, self.isShared) = (batch, isShared)
        rowLimit = Int(isShared ? RowNumbers.lastGeneration : .max)
        state = Mutex(
            State(
                free: Array(repeating: [], count: tables),
                generations: Array(repeating: 0, count: tables)))
        counters = .allocate(capacity: tables)
        freeCounts = .allocate(capacity: tables)
        for table in 0..<tables {
            (counters + table).initialize(to: Atomic(0))
            (freeCounts + table).initialize(to: Atomic(0))
        }
    }

    /// An allocator of the rows that come after those of a graph.
    convenience init(after graph: Graph) {
        self.init(tables: graph.tables.count)
        for table in graph.tables.tableNumbers {
            reserve(below: graph.tables[table].upperBound, in: table)
        }
    }

    deinit {
        counters.deinitialize(count: count)
        counters.deallocate()
        freeCounts.deinitialize(count: count)
        freeCounts.deallocate()
    }

    // MARK: - Handing out

    /// A row of a table that nobody uses.
    func next(in table: TableNumber) -> Use {
        if freeCounts[table.index].load(ordering: .relaxed) > 0, let use = nextFree(in: table) {
            return use
        }
        let row = counters[table.index].wrappingAdd(1, ordering: .relaxed).oldValue
        if row >= rowLimit { mistake("A store holds at most \(rowLimit) objects of an entity.") }
        return Use(row: Row(row), generation: 0)
    }

    @inline(never)
    private func nextFree(in table: TableNumber) -> Use? {
        state.withLock { state in
            defer { freeCounts[table.index].store(state.free[table].count, ordering: .relaxed) }
            return state.free[table].popLast()
        }
    }

    /// Keeps row numbers below `bound` from being handed out.
    func reserve(below bound: Int, in table: TableNumber) {
        var current = counters[table.index].load(ordering: .relaxed)
        while current < bound {
            let result = counters[table.index].compareExchange(
                expected: current, desired: bound, ordering: .relaxed)
            if result.exchanged { return }
            current = result.original
        }
    }

    /// Whether a row was ever handed out to be used so, in a table whose generations are counted together.
    func hasHandedOut(_ use: Use, in table: TableNumber) -> Bool {
        use.generation == 0
            ? use.row.index < counters[table.index].load(ordering: .relaxed)
            : state.withLock { use.generation <= $0.generations[table] }
    }

    // MARK: - Holding

    /// Keeps a row from being used again, until it is released as often.
    func hold(_ address: RowAddress) {
        state.withLock { $0.exceptions[address, default: Exception()].holds += 1 }
    }

    /// Keeps a row from being used again, as `hold` does, if its latest object is that of a generation.
    ///
    /// - Returns: Whether it is; false where the row is another object's by now, or is about to be.
    func hold(_ address: RowAddress, of generation: Int32) -> Bool {
        state.withLock { state in
            guard !isShared || state.latest[address] ?? 0 == generation else { return false }
            state.exceptions[address, default: Exception()].holds += 1
            if let row = state.ended.remove(address) { state.exceptions[address]?.ended = row }
            return true
        }
    }

    /// Ends one hold of a row.
    func release(_ address: RowAddress) {
        state.withLock { state in
            guard var exception = state.exceptions[address] else { return }
            exception.holds -= 1
            if exception.holds == 0, let row = exception.ended {
                exception.ended = nil
                state.ended.append(row)
            }
            state.exceptions[address] = exception.isOver ? nil : exception
        }
    }

    // MARK: - Using again

    /// Lets rows be used again whose lifetimes have ended, when nobody holds them.
    func end(_ rows: ContiguousArray<RetiredRow>) {
        state.withLock { state in
            for row in rows {
                guard var exception = state.exceptions[row.address] else {
                    state.ended.append(row)
                    continue
                }
                if exception.revivals > 0 {
                    exception.revivals -= 1
                } else {
                    exception.ended = row
                }
                state.exceptions[row.address] = exception.isOver ? nil : exception
            }
        }
    }

    /// Lets a row be in use again that was not cleared, since a commit has brought the object back that was deleted last.
    func revive(_ address: RowAddress) {
        state.withLock { state in
            var exception = state.exceptions[address] ?? Exception()
            if state.exceptions[address] == nil, state.ended.remove(address) != nil {
                return
            } else if exception.ended != nil {
                exception.ended = nil
            } else {
                exception.revivals += 1
            }
            state.exceptions[address] = exception.isOver ? nil : exception
        }
    }

    /// The rows whose values are to be cleared, if there are enough of them; they come back by `free` or by
    /// `end`.
    ///
    /// These are all: with a limit, whoever replaces more objects in a save would never catch up.
    func takeEnded() -> ContiguousArray<RetiredRow> {
        state.withLock { state in
            guard state.ended.count >= batch else { return [] }
            let ended = state.ended.takeAll()
            guard isShared else { return ended }
            var rows: ContiguousArray<RetiredRow> = []
            for row in ended {
                let generation = state.generations[row.address.table] + 1
                guard generation <= RowNumbers.lastGeneration else { continue }
                state.generations[row.address.table] = generation
                state.latest[row.address] = generation
                rows.append(RetiredRow(address: row.address, generation: generation - 1))
            }
            return rows
        }
    }

    /// The rows that nobody may mean: they are free, or have ended.
    var unused: [RowAddress] {
        state.withLock { state in
            state.ended.all.map(\.address)
                + state.free.tableNumbers.flatMap { table in
                    state.free[table].map { RowAddress(table: table, row: $0.row) }
                }
        }
    }

    /// Lets rows be handed out again, for their values are cleared in the graph that was committed last.
    func free(_ rows: ContiguousArray<RetiredRow>) {
        // The lowest are handed out first, whatever the order in which they came.
        let rows = rows.sorted { $0.address.row > $1.address.row }
        state.withLock { state in
            for row in rows {
                let table = row.address.table
                state.free[table].append(row.next)
                freeCounts[table.index].store(state.free[table].count, ordering: .relaxed)
            }
        }
    }
}
