/// What graphs share from one commit that deletes objects to the next: it ends when none of them is left,
/// nor any earlier one.
///
/// So a row means one object to whoever holds a graph in which that object lived: its row is used again
/// when the lifetime has ended in which the object was deleted. Each lifetime keeps the one that follows,
/// so they end in their order.
///
/// Sendable, because a lifetime is written only under the lock of its store, and only while it is that of the
/// store's latest graph; others read what it holds once another lifetime has followed.
final class GraphLifetime: @unchecked Sendable {
    private let rows: RowAllocator
    /// The rows that are used again when this lifetime has ended.
    private(set) var retired: ContiguousArray<RetiredRow> = []
    /// The rows of objects that had come back and are gone again: each is released when this lifetime has ended.
    private(set) var released: ContiguousArray<RowAddress> = []
    /// The lifetime that began when this one's last graph was replaced.
    private(set) var next: GraphLifetime?

    /// The lifetime of the first graph of a store, or of one that follows another.
    init(_ rows: RowAllocator) { self.rows = rows }

    deinit {
        if !retired.isEmpty { rows.end(retired) }
        released.forEach(rows.release)
        // One after another, and not each inside the one before: there may be a million.
        var following = next
        next = nil
        while isKnownUniquelyReferenced(&following) {
            let later = following?.next
            following?.next = nil
            following = later
        }
    }

    /// Lets rows be used again when this lifetime has ended, or ends holds of them; their objects live in no
    /// later one.
    func retire(
        _ rows: ContiguousArray<RetiredRow>, releasing addresses: ContiguousArray<RowAddress> = []
    ) {
        retired += rows
        released += addresses
    }

    /// Whether a row is used again, or released, when this lifetime has ended.
    var hasRetired: Bool { !retired.isEmpty || !released.isEmpty }

    /// Begins the lifetime that follows.
    func beginNext() -> GraphLifetime {
        let lifetime = GraphLifetime(rows)
        next = lifetime
        return lifetime
    }

    /// Calls `body` with the rows of objects that live in graphs of this lifetime and in none of a later one.
    func forEachRetired(before later: GraphLifetime, _ body: (RowAddress) -> Void) {
        var lifetime = self
        while lifetime !== later, let next = lifetime.next {
            for row in lifetime.retired { body(row.address) }
            lifetime.released.forEach(body)
            lifetime = next
        }
    }
}

/// The row of an object that is gone.
struct RetiredRow: Sendable {
    var address: RowAddress
    /// How often the row was used before that object.
    var generation: Int32

    /// The row as the next object gets it.
    var next: RowAllocator.Use { RowAllocator.Use(row: address.row, generation: generation + 1) }
}

/// A row of a table.
struct RowAddress: Hashable, Sendable {
    var table: TableNumber
    var row: Row
}
