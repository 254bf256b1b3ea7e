extension Graph {
    /// Which share of a table's rows satisfies a condition that is not made of others, and is no part of an
    /// ordered index: counted where an index of words has it, and guessed where none does.
    func share(of condition: Condition, in table: TableNumber) -> Double {
        switch condition {
        case .constant(let answer): return answer ? 1 : 0
        case .kind(let kinds):
            return Double(kinds.count) / Double(max(1, layout.tables[table].entities.count))
        case .rows(let rows):
            return Double(rows.count) / Double(max(1, tables[table].count))
        case .comparison(let operand, let comparison, _):
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
        case .not, .all, .any, .related, .anyMember, .opaque: return 0.3
        }
    }

    private func share(
        of operand: Operand, _ comparison: ComparisonOperator, in table: TableNumber
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

    /// Which share of a table's rows has a member among a share of those that a relationship leads to.
    func share(ofOwners slot: Slot, in table: TableNumber, ofMembers share: Double) -> Double {
        let owners = Double(tables[destination(of: slot, in: table)].count) * fan(slot, in: table)
        return min(1, owners / Double(max(1, tables[table].count))) * min(1, share * 10)
    }

    /// How many rows a relationship leads to from a row of a table, on average.
    func reached(by slot: Slot, in table: TableNumber) -> Double {
        let members =
            switch layout.tables[table].relationships[slot] {
            case .toMany(let list), .manyToMany(let list, _): list.members
            case .toOne, .oneToOne, nil: table
            }
        return Double(tables[members].count) / Double(max(1, tables[table].count))
    }

    /// How many rows of a table a row that its relationship leads to is joined to, on average.
    func fan(_ slot: Slot, in table: TableNumber) -> Double {
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
