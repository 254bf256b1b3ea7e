extension QueryRun {
    /// Whether a plan without an order finds any row; looks no further than to the first one.
    ///
    /// Rows are asked in parts, each four times the one before.
    mutating func isAny(_ plan: QueryPlan, opaque: (Row) -> Bool) -> Bool {
        switch plan.step {
        case .union(let plans):
            for plan in plans where isAny(plan, opaque: opaque) { return true }
            return false
        case .filter(let inner, let tests):
            return isAny(selection(inner, opaque: opaque), tests, in: plan.table, opaque: opaque)
        default: return count(plan, opaque: opaque) > 0
        }
    }

    private mutating func isAny(
        _ selection: RowSelection, _ tests: [RowTest], in table: TableNumber, opaque: (Row) -> Bool
    ) -> Bool {
        var start = 0
        switch selection {
        case .list(let rows):
            var size = 64
            while start < rows.count {
                let end = start + min(size, rows.count - start)
                let part = RowSelection.list(ContiguousArray(rows[start..<end]))
                if narrow(part, tests, in: table, opaque: opaque).count > 0 { return true }
                (start, size) = (end, size * 4)
            }
        case .set(let set):
            var size = ChunkLayout.words
            while start < set.words.count {
                let end = start + min(size, set.words.count - start)
                var part = set.emptied
                part.words.replaceSubrange(start..<end, with: set.words[start..<end])
                if narrow(.set(part), tests, in: table, opaque: opaque).count > 0 { return true }
                (start, size) = (end, size * 4)
            }
        }
        return false
    }
}
