extension QueryRun {
    /// The first rows in the order of an index that pass some tests; `nil` where more entries would
    /// have to be looked at than the walk may.
    ///
    /// Rows that are equal under the key come in their own order, going down as going up.
    mutating func walk(
        _ walk: IndexWalk, _ tests: [RowTest], in table: TableNumber, opaque: (Row) -> Bool
    ) -> ContiguousArray<Row>? {
        var result = ContiguousArray<Row>()
        var upcoming = IndexRows(walk, in: table, of: graph)
        var seen = 0
        // The rows are asked in batches, each twice the one before: the first may be enough.
        var size = tests.isEmpty ? walk.limit : min(max(walk.limit, 32), 256)
        while result.count < walk.limit {
            var batch = upcoming.next(size)
            if batch.isEmpty { return result }
            seen &+= batch.count
            // Of many that are equal under the first key no more are looked at than of others.
            if !walk.keys.isEmpty, batch.count > walk.budget { return nil }
            if !tests.isEmpty {
                let passing = passing(
                    tests, RowDomain(rows: batch), RowSet(positions: batch.count), in: table,
                    opaque: opaque)
                batch = ContiguousArray(passing.rows.map { batch[$0.index] })
            }
            if !walk.keys.isEmpty {
                batch.sort()
                batch = graph.sorted(
                    batch, by: walk.keys, in: table, first: walk.limit - result.count)
            }
            result.append(contentsOf: batch)
            if result.count < walk.limit, seen >= walk.budget { return nil }
            size = min(size * 2, 4_096)
        }
        return result.count > walk.limit ? ContiguousArray(result.prefix(walk.limit)) : result
    }
}

/// The rows of a part of an ordered index, in batches, or of two parts in another order than they have there.
private struct IndexRows {
    private let index: OrderedIndex
    private let layout: OrderedIndexLayout
    private let columns: [Column]
    private let isAscending: Bool
    private let columnCount: Int
    private let page: PageRest?
    /// Whether what is equal is in one batch, so that it can be put in order.
    private let keepsEqualTogether: Bool
    private var rest: Range<Int>
    /// What comes behind the rest.
    private var last: Range<Int>?

    init(_ walk: IndexWalk, in table: TableNumber, of graph: Graph) {
        index = graph.tables[table].orderedIndexes[walk.range.index]
        layout = graph.layout.tables[table].orderedIndexes[walk.range.index]
        columns = graph.tables[table].columns
        isAscending = walk.isAscending
        columnCount = walk.columnCount
        page = walk.page
        keepsEqualTogether = page != nil || !walk.keys.isEmpty
        rest = walk.range.positions.clamped(to: 0..<index.count)
        guard walk.hasGreatestNil else { return }
        let column = columns[layout.columns[columnCount - 1].column]
        let firstValue = rest.endOfPrefix { [index] in !column.isValid(at: index[$0].row) }
        let (nils, values) = (rest.lowerBound..<firstValue, firstValue..<rest.upperBound)
        let parts = isAscending ? (values, nils) : (nils, values)
        rest = page?.positions(parts.0, of: index) ?? parts.0
        last = page?.positions(parts.1, of: index) ?? parts.1
    }

    /// About so many more rows; none at the end.
    mutating func next(_ count: Int) -> ContiguousArray<Row> {
        guard let page else { return rows(count) }
        // A page may begin after the last of many that are equal.
        var result = ContiguousArray<Row>()
        while result.isEmpty, !rest.isEmpty || last != nil {
            let rows = rows(count)
            let starts = rows.indices.filter { $0 == 0 || order(rows[$0 - 1], rows[$0]) != 0 }
            for (start, end) in zip(starts, starts.dropFirst() + [rows.count]) {
                result += page.rows(among: rows[start..<end])
            }
        }
        return result
    }

    private mutating func rows(_ count: Int) -> ContiguousArray<Row> {
        if rest.isEmpty, let last { (rest, self.last) = (last, nil) }
        let count = min(count, rest.count)
        var rows = ContiguousArray<Row>()
        rows.reserveCapacity(count)
        if isAscending {
            var end = rest.lowerBound + count
            if keepsEqualTogether, end > rest.lowerBound, end < rest.upperBound {
                end = min(rest.upperBound, bound(of: end - 1, .max))
            }
            index.forEachRun(rest.lowerBound..<end) { entries in
                for entry in entries { rows.append(entry.row) }
            }
            rest = end..<rest.upperBound
        } else {
            var start = rest.upperBound - count
            if start > rest.lowerBound {
                // A batch ends where a value does, so that its rows can be turned round.
                start = max(rest.lowerBound, bound(of: start, .min))
            }
            appendRuns(start..<rest.upperBound, to: &rows)
            rest = rest.lowerBound..<start
        }
        return rows
    }

    /// Appends rows going down, but up among those that are equal.
    private func appendRuns(_ positions: Range<Int>, to rows: inout ContiguousArray<Row>) {
        var runStart = 0
        var last: OrderedEntry?
        var entries = ContiguousArray<OrderedEntry>()
        entries.reserveCapacity(positions.count)
        index.forEachRun(positions) { entries.append(contentsOf: $0) }
        for entry in entries.reversed() {
            if let previous = last, !isEqual(previous, entry) {
                rows[runStart...].reverse()
                runStart = rows.count
            }
            rows.append(entry.row)
            last = entry
        }
        rows[runStart...].reverse()
    }

    private func isEqual(_ first: OrderedEntry, _ second: OrderedEntry) -> Bool {
        guard first.group == second.group, first.key == second.key else { return false }
        return layout.isExact || order(first.row, second.row) == 0
    }

    private func order(_ first: Row, _ second: Row) -> Int {
        for column in layout.columns.prefix(columnCount) {
            let values = columns[column.column]
            let order = column.order(
                first, values.block(first.chunk), second, values.block(second.chunk))
            if order != 0 { return order }
        }
        return 0
    }

    /// Where the rows begin that have the value of the one at a position, or end for `Row.max`.
    private func bound(of position: Int, _ row: Row) -> Int {
        let entry = index[position]
        var bound = entry
        bound.row = row
        return index.position(of: bound) { order(entry.row, $0) }
    }
}
