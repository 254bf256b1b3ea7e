import Foundation

/// The dates that an attribute has in all rows of a table, in their order.
///
/// An ordered index of the attribute is read where there is one; else an order is kept here, O(log n) for
/// each change. Deleted objects are looked at apart; rules keep few of them.
struct StoredDates {
    private let table: TableNumber
    private let slot: Slot
    /// The relationship that leads to the rows, if it may lead to deleted ones.
    private let link: (table: TableNumber, slot: Slot)?
    /// The deleted rows to which it led when they went.
    private var deleted: Set<Row> = []
    /// The number of the graph's own index.
    private let index: Int?
    private let kept: KeptDates?

    /// The dates of a graph, in rows that a relationship leads to, if any does.
    init(
        of slot: Slot, in table: TableNumber, reachedBy link: (table: TableNumber, slot: Slot)?,
        _ graph: Graph
    ) {
        self.table = table
        self.slot = slot
        self.link = graph.layout.tables[table].keepsDeniedLinks ? link : nil
        index = graph.orderedIndex(of: slot, in: table)
        kept = index == nil ? KeptDates() : nil
        if self.link != nil, graph.tables[table].count < graph.tables[table].upperBound {
            // Word by word: mostly very few of all rows are unused.
            var unused = graph.rows(in: table)
            for index in unused.words.indices { unused.words[index] = ~unused.words[index] }
            let end = graph.tables[table].rows.upperBound
            unused.forEach { if $0 < end, isReachedDeleted($0, in: graph) { deleted.insert($0) } }
        }
        guard let kept else { return }
        for row in graph.fetchRows(.constant(true), in: table, opaque: { _ in false }) {
            kept.insert(row, date(row, in: graph))
        }
    }

    /// Follows a change.
    mutating func update(_ changes: ChangeSet) {
        let rows = changes.tables[table]
        if link != nil {
            // Their links may go and come back, as long as they are not used again themselves.
            let gone = rows.deleted.filter { isReachedDeleted($0, in: changes.after) }
            deleted = deleted.subtracting(rows.inserted).union(gone)
        }
        guard let kept else { return }
        for row in rows.deleted { kept.remove(row, date(row, in: changes.before)) }
        for update in rows.updated where changes.hasChanged(update, slot, in: table) {
            kept.remove(update.row, date(update.row, in: changes.before))
            kept.insert(update.row, date(update.row, in: changes.after))
        }
        for row in rows.inserted { kept.insert(row, date(row, in: changes.after)) }
    }

    /// The rows whose date lies between two, both included.
    func rows(from first: Date, to last: Date, in graph: Graph) -> [Row] {
        let entries = entries(in: graph)
        let start = entries.position(of: OrderedEntry(first, .min))
        let end = entries.position(of: OrderedEntry(last, .max))
        return entries.entries(start..<max(start, end)).map(\.row)
            + deleted.filter { row in
                date(row, in: graph).map { first <= $0 && $0 <= last } ?? false
            }
    }

    /// The first date after one, or from one on, of a row that passes a test.
    ///
    /// The date of a row that does not pass may be given too: it is not looked at many.
    func first(
        from date: Date, isIncluded: Bool, in graph: Graph, where passes: (Row) -> Bool
    ) -> Date? {
        let others = deleted.compactMap { self.date($0, in: graph) }
            .filter { isIncluded ? date <= $0 : date < $0 }
        let first = firstOfExisting(
            from: date, isIncluded: isIncluded, in: graph, where: passes)
        return (others + [first].compactMap(\.self)).min()
    }

    private func firstOfExisting(
        from date: Date, isIncluded: Bool, in graph: Graph, where passes: (Row) -> Bool
    ) -> Date? {
        let entries = entries(in: graph)
        let start = entries.position(of: OrderedEntry(date, isIncluded ? .min : .max))
        var seen = 0
        for entry in entries.entries(start..<max(start, entries.count)) {
            guard entry.group == OrderedIndexLayout.values else { return nil }
            seen += 1
            guard let date = self.date(entry.row, in: graph) else { continue }
            // What is not a date comes last.
            guard !date.timeIntervalSinceReferenceDate.isNaN else { return nil }
            if seen >= 64 || passes(entry.row) { return date }
        }
        return nil
    }

    private func isReachedDeleted(_ row: Row, in graph: Graph) -> Bool {
        guard let link, !graph.contains(row, in: table) else { return false }
        return !graph.sources(of: row, link.slot, in: link.table).isEmpty
    }

    private func entries(in graph: Graph) -> OrderedIndex {
        kept?.order ?? index.map { graph.tables[table].orderedIndexes[$0] } ?? OrderedIndex()
    }

    private func date(_ row: Row, in graph: Graph) -> Date? {
        if case .date(let date) = graph.value(row, slot, in: table) { date } else { nil }
    }
}

/// Rows in the order of dates that no index of the graph keeps.
private final class KeptDates {
    private(set) var order = OrderedIndex()

    func insert(_ row: Row, _ date: Date?) {
        guard let date else { return }
        order.insert(OrderedEntry(date, row), token: 1)
    }

    func remove(_ row: Row, _ date: Date?) {
        guard let date else { return }
        order.remove(OrderedEntry(date, row), token: 1)
    }
}

extension OrderedEntry {
    /// A row with a date; the least row comes before all others of the date, the greatest after them.
    fileprivate init(_ date: Date, _ row: Row) {
        self.init(
            group: OrderedIndexLayout.values, row: row,
            key: date.timeIntervalSinceReferenceDate.orderedBits)
    }
}
