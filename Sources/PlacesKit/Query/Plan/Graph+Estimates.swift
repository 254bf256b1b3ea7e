extension Graph {
    /// Which share of a table's rows satisfies a condition, counted where an index has it and
    /// guessed where none does.
    func share(of condition: Condition, in table: Int) -> Double {
        switch condition {
        case .constant(let answer): return answer ? 1 : 0
        case .kind(let kinds):
            return Double(kinds.count) / Double(max(1, layout.tables[table].entities.count))
        case .not(let inner): return 1 - share(of: inner, in: table)
        case .all(let inner):
            return inner.reduce(1) { $0 * share(of: $1, in: table) }
        case .any(let inner):
            return 1 - inner.reduce(1) { $0 * (1 - share(of: $1, in: table)) }
        case .comparison(let operand, let comparison, _):
            if let range = indexRange(condition, in: table) {
                return Double(range.positions.count) / Double(max(1, tables[table].count))
            }
            return share(of: operand, comparison, in: table)
        case .membership(let operand, let values):
            let share = share(of: operand, .equal, in: table)
            return min(1, share * Double(values.count))
        case .text(.attribute(let path), let test) where path.count == 1:
            let count = Double(max(1, tables[table].count))
            guard let words = test.words, let ranges = wordRanges(words, path[0], in: table)?.ranges
            else {
                return prefixRange(condition, in: table).map { Double($0.positions.count) / count }
                    ?? 0.05
            }
            return ranges.reduce(1) { $0 * min(1, Double($1.positions.count) / count) }
        case .text, .texts: return 0.05
        case .related(let slot, let inner, _):
            return inner.looksOut()
                ? 0.3 : share(of: inner, in: destination(of: slot, in: table))
        case .anyMember(let slot, let inner):
            guard !inner.looksOut() else { return 0.3 }
            let members = destination(of: slot, in: table)
            let owners = Double(tables[members].count) * fan(slot, in: table)
            let most = min(1, owners / Double(max(1, tables[table].count)))
            return most * min(1, share(of: inner, in: members) * 10)
        case .opaque: return 0.3
        }
    }

    private func share(
        of operand: Operand, _ comparison: ComparisonOperator, in table: Int
    ) -> Double {
        switch comparison {
        case .equal:
            guard case .attribute(let path) = operand, path.count == 1 else { return 0.02 }
            if layout.tables[table].uniqueSlots.contains(path[0]) {
                return 1 / Double(max(1, tables[table].count))
            }
            return tables[table].columns[path[0]].kind == .boolean ? 0.5 : 0.02
        case .notEqual: return 0.98
        case .less, .lessOrEqual, .greater, .greaterOrEqual: return 0.3
        }
    }

    /// How many rows of a table a row that its relationship leads to is joined to, on average.
    func fan(_ slot: Int, in table: Int) -> Double {
        let destination = destination(of: slot, in: table)
        switch layout.tables[table].relationships[slot] {
        case .toOne:
            return Double(tables[table].count) / Double(max(1, tables[destination].count))
        case .manyToMany(let own, _):
            return Double(tables[own.members].count) / Double(max(1, tables[destination].count))
        case .toMany, .oneToOne, nil: return 1
        }
    }
}

extension RelationshipLayout {
    /// Whether the relationship leads to one row at most.
    var isToOne: Bool {
        switch self {
        case .toOne, .oneToOne: true
        case .toMany, .manyToMany: false
        }
    }
}
