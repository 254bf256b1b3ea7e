extension Graph {
    /// Whether a row satisfies a condition.
    ///
    /// `opaque` answers for what was not compiled.
    func matches(
        _ condition: Condition, _ row: Int32, in table: Int, opaque: (Int32) -> Bool
    ) -> Bool {
        switch condition {
        case .constant(let answer): answer
        case .not(let condition): !matches(condition, row, in: table, opaque: opaque)
        case .all(let conditions):
            conditions.allSatisfy { matches($0, row, in: table, opaque: opaque) }
        case .any(let conditions):
            conditions.contains { matches($0, row, in: table, opaque: opaque) }
        case .kind(let kinds): kinds.contains(kind(row, in: table))
        case .comparison(let left, let comparison, let right):
            comparison.holds(
                value(of: left, row, in: table), value(of: right, row, in: table))
        case .text(let operand, let comparison, let other):
            if case .string(let text) = value(of: operand, row, in: table) {
                comparison.holds(text, other)
            } else {
                false
            }
        case .membership(let operand, let set): set.contains(value(of: operand, row, in: table))
        case .related(let slot, let condition, let otherwise):
            if case let target = reference(row, slot, in: table), target >= 0 {
                matches(condition, target, in: destination(of: slot, in: table)) { _ in false }
            } else {
                otherwise
            }
        case .anyMember(let slot, let condition):
            related(row, slot, in: table).contains {
                matches(condition, $0, in: destination(of: slot, in: table)) { _ in false }
            }
        case .opaque: opaque(row)
        }
    }

    /// What an operand is at a row.
    func value(of operand: Operand, _ row: Int32, in table: Int) -> Datum {
        switch operand {
        case .constant(let datum): return datum
        case .attribute(let path):
            guard let (row, table) = follow(path.dropLast(), from: row, in: table) else {
                return .null
            }
            return value(row, path[path.count - 1], in: table)
        case .count(let path):
            guard let (row, table) = follow(path.dropLast(), from: row, in: table) else {
                return .null
            }
            return .integer(Int64(memberCount(row, path[path.count - 1], in: table)))
        case .identity(let path):
            guard let (row, _) = follow(path[...], from: row, in: table) else { return .null }
            return .integer(Int64(row))
        case .coalesced(let first, let second):
            let value = value(of: first, row, in: table)
            return value == .null ? self.value(of: second, row, in: table) : value
        }
    }

    /// The row at the end of a chain of to-one relationships, and its table.
    func follow(
        _ path: ArraySlice<Int>, from row: Int32, in table: Int
    ) -> (row: Int32, table: Int)? {
        var (row, table) = (row, table)
        for slot in path {
            row = reference(row, slot, in: table)
            guard row >= 0 else { return nil }
            table = destination(of: slot, in: table)
        }
        return (row, table)
    }
}
