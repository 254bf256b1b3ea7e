extension Graph {
    /// The rows that satisfy a condition, found through a unique index where the condition allows.
    func fetchRows(
        _ condition: Condition, in table: Int, opaque: (Int32) -> Bool
    ) -> ContiguousArray<Int32> {
        if let (slot, constant) = condition.uniqueLookup(in: layout.tables[table].uniqueSlots),
            tables[table].uniqueIndexes.allSatisfy(\.duplicates.isEmpty)
        {
            guard let row = find(constant, slot, in: table),
                matches(condition, row, in: table, opaque: opaque)
            else { return [] }
            return [row]
        }
        return rows(matching: condition, in: table, opaque: opaque).rows
    }
}

extension Condition {
    /// The unique attribute, and its value, that every matching row must have.
    fileprivate func uniqueLookup(in uniqueSlots: [Int]) -> (slot: Int, constant: Datum)? {
        switch self {
        case .comparison(.attribute(let path), .equal, .constant(let constant)),
            .comparison(.constant(let constant), .equal, .attribute(let path)):
            path.count == 1 && uniqueSlots.contains(path[0]) && constant != .null
                ? (path[0], constant) : nil
        case .all(let conditions):
            conditions.lazy.compactMap { $0.uniqueLookup(in: uniqueSlots) }.first
        case .constant, .not, .any, .comparison, .text, .membership, .related, .anyMember, .opaque:
            nil
        }
    }
}
