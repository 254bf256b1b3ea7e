/// The rows of a part of an ordered index, in batches, or of two parts in another order than they have there.
struct IndexRows {
    private let index: OrderedIndex
    private let layout: OrderedIndexLayout
    private let columns: [Column]
    private let isAscending: Bool
    private let columnCount: Int
    private let page: PageRest?
    /// Whether what is equal is in one batch, so that it can be put in order.
    private let keepsEqualTogether: Bool
    private var rest: Range<Int>
    /// Going down, what is left of many that are equal, and come before the rest.
    private var equal = 0..<0
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
        if rest.isEmpty, equal.isEmpty, let last { (rest, self.last) = (last, nil) }
        var rows = ContiguousArray<Row>()
        rows.reserveCapacity(min(count, rest.count))
        guard isAscending else {
            if equal.isEmpty { appendDown(min(count, rest.count), to: &rows) }
            let part = equal.prefix(max(0, count - rows.count))
            append(part, to: &rows)
            equal = part.upperBound..<equal.upperBound
            return rows
        }
        var end = rest.lowerBound + min(count, rest.count)
        if keepsEqualTogether, end > rest.lowerBound, end < rest.upperBound {
            end = min(rest.upperBound, bound(of: end - 1, .max))
        }
        append(rest.lowerBound..<end, to: &rows)
        rest = end..<rest.upperBound
        return rows
    }

    private func append(_ positions: Range<Int>, to rows: inout ContiguousArray<Row>) {
        index.forEachRun(positions) { entries in
            for entry in entries { rows.append(entry.row) }
        }
    }

    /// Appends the rows of about so many positions at the upper end of the rest.
    ///
    /// What is appended ends where a value does, so that its rows can be turned round. Of a value of many more rows none
    /// is appended: they begin in the midst of the index, and need not all be read.
    private mutating func appendDown(_ count: Int, to rows: inout ContiguousArray<Row>) {
        let end = rest.upperBound
        var start = end - count
        if start > rest.lowerBound {
            let first = max(rest.lowerBound, bound(of: start, .min))
            if keepsEqualTogether || start - first <= count {
                start = first
            } else {
                equal = first..<min(end, bound(of: start, .max))
                start = equal.upperBound
            }
        }
        appendRuns(start..<end, to: &rows)
        rest = rest.lowerBound..<(equal.isEmpty ? start : equal.lowerBound)
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
