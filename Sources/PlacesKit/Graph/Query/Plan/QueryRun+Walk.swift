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
            size = min(size, 2_048) * 2
        }
        return result.count > walk.limit ? ContiguousArray(result.prefix(walk.limit)) : result
    }
}
