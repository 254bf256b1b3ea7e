extension QueryRun {
    /// Whether a plan without an order finds any row; looks hardly further than to the first one.
    mutating func isAny(_ plan: QueryPlan, opaque: (Row) -> Bool) -> Bool {
        isAny(plan, opaque: opaque) { _, rows in rows.count > 0 }
    }

    /// Whether something holds of any portion of the rows that a plan finds, which come in no order and perhaps more
    /// than once.
    ///
    /// Each portion is read and asked before the next, which is four times as large.
    private mutating func isAny(
        _ plan: QueryPlan, opaque: (Row) -> Bool,
        where holds: (inout QueryRun, RowSelection) -> Bool
    ) -> Bool {
        let table = plan.table
        let chunks = graph.tables[table].chunkCount
        switch plan.step {
        case .union(let plans):
            for plan in plans where isAny(plan, opaque: opaque, where: holds) { return true }
            return false
        case .filter(let inner, let tests):
            return isAny(inner, opaque: opaque) { run, rows in
                let passing = run.narrow(rows, tests, in: table, opaque: opaque)
                return passing.count > 0 && holds(&run, passing)
            }
        case .links(let slot, let inner):
            // A look at all rows takes less time than to go along more links.
            var rest = max(1_024, graph.tables[table].count / 16)
            let isFound = isAny(inner, opaque: { _ in false }) { run, others in
                run.isAny(joinedTo: others, slot, in: table, atMost: &rest, where: holds)
            }
            return rest >= 0 ? isFound : isAny(of: links(slot, inner, of: plan), where: holds)
        case .range(let range):
            let index = graph.tables[table].orderedIndexes[range.index]
            return isAny(of: range.positions, from: Self.firstRows, where: holds) {
                index.selection(at: $0, chunks: chunks)
            }
        case .words(let range):
            let index = graph.tables[table].wordIndexes[range.index]
            return isAny(of: range.positions, from: Self.firstRows, where: holds) {
                index.selection(at: $0, chunks: chunks)
            }
        case .area(let area) where !area.areOnLines:
            let index = graph.tables[table].orderedIndexes[area.index]
            return isAny(of: 0..<area.cover.count, from: Self.firstRows, where: holds) {
                RowSelection(unordered: area.cover.rows(at: $0, in: index), chunks: chunks)
            }
        default: return isAny(of: selection(plan, opaque: opaque), where: holds)
        }
    }

    /// How many rows are in the first portion of a list: what is asked of them may take a thousand times as long as
    /// to read them.
    private static let firstRows = 16

    private mutating func isAny(
        of selection: RowSelection, where holds: (inout QueryRun, RowSelection) -> Bool
    ) -> Bool {
        switch selection {
        case .list(let rows):
            isAny(of: rows.indices, from: Self.firstRows, where: holds) {
                .list(ContiguousArray(rows[$0]))
            }
        case .set(let set):
            isAny(of: set.words.indices, from: 1, where: holds) { .set(set.part($0)) }
        }
    }

    private mutating func isAny(
        of positions: Range<Int>, from first: Int,
        where holds: (inout QueryRun, RowSelection) -> Bool, _ rows: (Range<Int>) -> RowSelection
    ) -> Bool {
        var (start, size) = (positions.lowerBound, first)
        while start < positions.upperBound {
            let end = start + min(size, positions.upperBound - start)
            let portion = rows(start..<end)
            if holds(&self, portion) { return true }
            (start, size) = (end, size * 4)
        }
        return false
    }

    /// The same of the rows that a relationship joins to some others; also `true` once these are more than `rest`, which
    /// counts them and is negative then.
    private mutating func isAny(
        joinedTo others: RowSelection, _ slot: Slot, in table: TableNumber, atMost rest: inout Int,
        where holds: (inout QueryRun, RowSelection) -> Bool
    ) -> Bool {
        let graph = graph
        let chunks = graph.tables[table].chunkCount
        var (rows, size) = (ContiguousArray<Row>(), Self.firstRows)
        for other in others.rows {
            for row in graph.sources(of: other, slot, in: table) {
                rest -= 1
                if rest < 0 { return true }
                if graph.contains(row, in: table) { rows.append(row) }
                guard rows.count == size else { continue }
                if holds(&self, RowSelection(unordered: rows, chunks: chunks)) { return true }
                rows.removeAll(keepingCapacity: true)
                size *= 4
            }
        }
        return !rows.isEmpty && holds(&self, RowSelection(unordered: rows, chunks: chunks))
    }
}

extension RowSet {
    /// The rows in some words, with room up to there.
    fileprivate func part(_ range: Range<Int>) -> RowSet {
        var part = RowSet(
            chunks: (range.upperBound + ChunkLayout.words - 1) / ChunkLayout.words)
        part.words.replaceSubrange(range, with: words[range])
        return part
    }
}
