import Synchronization

/// Hands out row numbers: to every transaction of a store others, and none twice.
///
/// Sendable, for it holds nothing but atomic counters; they lie at an address, so that counting
/// references does not cost more than counting rows.
final class RowAllocator: @unchecked Sendable {
    private let counters: UnsafeMutablePointer<Atomic<Int>>
    private let count: Int

    init(tables: Int) {
        count = tables
        counters = .allocate(capacity: tables)
        for table in 0..<tables { (counters + table).initialize(to: Atomic(0)) }
    }

    deinit {
        counters.deinitialize(count: count)
        counters.deallocate()
    }

    /// A row number of a table that nobody was given before.
    func next(in table: Int) -> Int32 {
        let row = counters[table].wrappingAdd(1, ordering: .relaxed).oldValue
        precondition(
            row < Int(Int32.max),
            """
            A store gives each entity \(Int32.max) row numbers while it is open, and all are used. \
            Close the document and open it again.
            """)
        return Int32(truncatingIfNeeded: row)
    }

    /// Keeps row numbers below `bound` from being handed out.
    func reserve(below bound: Int, in table: Int) {
        var current = counters[table].load(ordering: .relaxed)
        while current < bound {
            let result = counters[table].compareExchange(
                expected: current, desired: bound, ordering: .relaxed)
            if result.exchanged { return }
            current = result.original
        }
    }
}
