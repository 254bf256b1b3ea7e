/// The values that an object takes over from one that is folded into it.
enum FoldedValues {
    case none
    /// Those that are not what a new object has.
    case given
    case all
}

extension Transaction {
    /// Lets rows that are new since `base` become those of `base` that hold a unique value of theirs.
    ///
    /// A row that is folded goes, and the members of its to-many relationships, and what refers to it
    /// through a relationship without inverse, are led to the other row.
    ///
    /// - Parameters:
    ///   - base: The graph whose rows stay.
    ///   - values: Which attributes and to-one relationships of the one that stays get the values of
    ///     the one that goes.
    func foldDuplicates(newSince base: Graph, taking values: FoldedValues) {
        for table in layout.entityTables {
            for number in layout.tables[table].uniqueSlots.indices {
                foldDuplicates(in: table, index: number, newSince: base, taking: values)
            }
        }
    }

    /// Folds the new ones among rows that hold one value of a unique attribute, in the order of rows:
    /// which of them its index has found first makes no difference.
    private func foldDuplicates(
        in table: TableNumber, index: Int, newSince base: Graph, taking values: FoldedValues
    ) {
        let slot = layout.tables[table].uniqueSlots[index]
        let duplicates = graph.tables[table].uniqueIndexes[index].duplicates
        guard !duplicates.isEmpty else { return }
        let groups = Dictionary(grouping: duplicates) { row in
            find(graph.datum(row, slot, in: table), slot, in: table) ?? row
        }
        var pairs: [(new: Row, saved: Row)] = []
        for (found, others) in groups {
            let rows = others + [found]
            let saved = rows.filter { base.contains($0, in: table) }.sorted()
            for new in rows where !base.contains(new, in: table) {
                // An object does not become one of another class: what leads to it may not lead there.
                let twin = saved.first { kind($0, in: table) == kind(new, in: table) }
                if let twin { pairs.append((new, twin)) }
            }
        }
        for pair in pairs.sorted(by: { $0.new < $1.new }) {
            fold(pair.new, into: pair.saved, in: table, taking: values)
        }
    }

    private func fold(
        _ row: Row, into other: Row, in table: TableNumber, taking values: FoldedValues
    ) {
        let properties = layout.tables[table].properties
        for slot in properties.slots {
            switch access[table].traits[slot].relationship {
            case nil where layout.tables[table].isDerived(slot): break
            case nil:
                let initial = properties[slot].attribute?.defaultValue ?? .null
                if values == .all
                    || values == .given && graph.datum(row, slot, in: table) != initial
                {
                    copy(row, slot, of: graph, to: other, in: table)
                }
            case .toOne, .oneToOne:
                let target = reference(row, slot, in: table)
                setToOne(row, slot, in: table, to: .none)
                if values == .all || values == .given && !target.isNone {
                    setToOne(other, slot, in: table, to: target)
                }
            case .toMany(let list): moveMembers(of: row, list, to: other)
            case .manyToMany:
                for member in graph.related(row, slot, in: table) {
                    addMember(member, to: other, slot, in: table)
                }
                removeLinks(of: row, slot, in: table)
            }
        }
        for list in layout.tables[table].hiddenLists { moveMembers(of: row, list, to: other) }
        delete(row, from: table)
    }

    private func moveMembers(of row: Row, _ list: ListLayout, to other: Row) {
        while case let member = reference(row, list.head, in: list.owners), !member.isNone {
            setToOne(member, list.owner, in: list.members, to: other)
        }
    }
}
