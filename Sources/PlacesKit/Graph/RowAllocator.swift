import Synchronization

/// Hands out row numbers: to every transaction of a store others, and none twice.
final class RowAllocator: Sendable {
    private let counters: [Counter]

    init(tables: Int) {
        counters = (0..<tables).map { _ in Counter() }
    }

    /// A row number of a table that nobody was given before.
    func next(in table: Int) -> Int32 {
        let row = counters[table].next.wrappingAdd(1, ordering: .relaxed).oldValue
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
        var current = counters[table].next.load(ordering: .relaxed)
        while current < bound {
            let result = counters[table].next.compareExchange(
                expected: current, desired: bound, ordering: .relaxed)
            if result.exchanged { return }
            current = result.original
        }
    }

    private final class Counter: Sendable {
        let next = Atomic<Int>(0)
    }
}
