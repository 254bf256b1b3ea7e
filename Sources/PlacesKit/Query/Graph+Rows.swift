extension Graph {
    /// The rows that satisfy a condition, found through an index where the condition allows.
    func fetchRows(
        _ condition: Condition, in table: Int, opaque: (Int32) -> Bool
    ) -> ContiguousArray<Int32> {
        namedRows(condition, in: table, opaque: opaque)
            ?? rows(matching: condition, in: table, opaque: opaque).rows
    }

    /// How many rows satisfy a condition.
    func countRows(_ condition: Condition, in table: Int, opaque: (Int32) -> Bool) -> Int {
        if case .constant(true) = condition { return tables[table].count }
        return namedRows(condition, in: table, opaque: opaque)?.count
            ?? rows(matching: condition, in: table, opaque: opaque).count
    }

    /// The rows that satisfy a condition, where it names the only ones that can.
    private func namedRows(
        _ condition: Condition, in table: Int, opaque: (Int32) -> Bool
    ) -> ContiguousArray<Int32>? {
        candidates(condition, in: table).map { candidates in
            ContiguousArray(
                Set(candidates).sorted().filter {
                    matches(condition, $0, in: table, opaque: opaque)
                })
        }
    }

    /// The only rows that can satisfy a condition, where it names them.
    private func candidates(_ condition: Condition, in table: Int) -> [Int32]? {
        switch condition {
        case .comparison(.attribute(let path), let comparison, .constant(let value)):
            (comparison == .equal ? candidates(path, [value], in: table) : nil)
                ?? (path.count == 1
                    ? indexedRows(path[0], comparison, value, in: table) : nil)
        case .membership(.attribute(let path), let values):
            candidates(path, values, in: table)
        case .comparison(.identity([]), .equal, .constant(let value)):
            existingRows([value], in: table)
        case .membership(.identity([]), let values): existingRows(values, in: table)
        case .all(let conditions):
            conditions.compactMap { candidates($0, in: table) }.min { $0.count < $1.count }
        default: nil
        }
    }

    private func existingRows(_ values: Set<Datum>, in table: Int) -> [Int32] {
        values.compactMap { value in
            guard case .integer(let number) = value, let row = Int32(exactly: number),
                contains(row, in: table)
            else { return nil }
            return row
        }
    }

    /// The rows whose unique attribute has one of some values, unless the index has not all of them.
    private func candidates(_ path: [Int], _ values: Set<Datum>, in table: Int) -> [Int32]? {
        guard path.count == 1, values.count <= tables[table].count,
            let index = layout.tables[table].uniqueSlots.firstIndex(of: path[0]),
            tables[table].uniqueIndexes[index].duplicates.isEmpty,
            let attribute = layout.tables[table].properties[path[0]].attribute,
            // No value is not indexed, nor is what reads like a value but was never written.
            !values.contains(attribute.isOptional ? .null : attribute.blank)
        else { return nil }
        return values.compactMap { find($0, path[0], in: table) }
    }
}
