import Foundation

/// Where a page of sorted rows begins, in which equal ones come in the order of their objects' numbers:
/// of all orders only that one is the same in every process.
struct PageStart: Sendable {
    /// The last row of the page before, which may have changed since, or be gone.
    struct Last: Sendable {
        /// The values of the sort keys.
        var values: [Datum]
        /// The number of the object.
        var number: Int64
    }

    /// `nil` for the first page.
    var last: Last?
}

/// Tells which rows of a table lie in the rest of a sort, and in which order equal ones come.
struct PageRest {
    private let start: PageStart
    private let keys: [SortKey]
    private let graph: Graph
    private let table: TableNumber
    private let numbers: ObjectNumbers

    init(_ start: PageStart, by keys: [SortKey], in table: TableNumber, of graph: Graph) {
        (self.start, self.keys, self.graph, self.table) = (start, keys, graph, table)
        numbers = ObjectNumbers(table, in: graph)
    }

    /// Those of some rows that come after the last one, in the order of their numbers.
    func rows(among rows: some Sequence<Row>) -> ContiguousArray<Row> {
        var rest: ContiguousArray<(number: Int64, row: Row)> = []
        var isAscending = true
        for row in rows {
            let number = numbers.number(of: row)
            guard isAfterLast(row, number) else { continue }
            if let previous = rest.last?.number, previous > number { isAscending = false }
            rest.append((number, row))
        }
        if !isAscending { rest.sort { $0.number < $1.number } }
        return ContiguousArray(rest.lazy.map(\.row))
    }

    private func isAfterLast(_ row: Row, _ number: Int64) -> Bool {
        guard let last = start.last else { return true }
        for (key, value) in zip(keys, last.values) {
            let order = key.order(graph.value(of: key.operand, row, in: table), value)
            if order != .orderedSame { return order == .orderedDescending }
        }
        return number > last.number
    }

    /// The positions of an index, in the order of the first key, from those of rows that are equal to
    /// the last one under it.
    ///
    /// - Complexity: O((log n)²).
    func positions(_ positions: Range<Int>, of index: OrderedIndex) -> Range<Int> {
        guard let value = start.last?.values.first, let key = keys.first else { return positions }
        let end = positions.endOfPrefix {
            let other = graph.value(of: key.operand, index[$0].row, in: table)
            return (key.order(other, value) == .orderedAscending) == key.isAscending
        }
        return key.isAscending
            ? end..<positions.upperBound : positions.lowerBound..<end
    }
}
