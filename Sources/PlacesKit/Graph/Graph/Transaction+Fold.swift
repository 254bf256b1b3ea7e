/// The values that an object takes over from one that is folded into it.
enum FoldedValues {
    case nothing
    /// Those that are not what a new object has.
    case given
    case all

    /// The values that a constraint's policy takes, or those that are taken where it has none; `nil` where
    /// nothing is folded.
    init?(_ policy: ClashPolicy?, otherwise values: FoldedValues?) {
        switch policy {
        case .update?: self = .given
        case .keep?: self = .nothing
        case .fail?: return nil
        case nil:
            guard let values else { return nil }
            self = values
        }
    }
}

extension Transaction {
    /// Lets rows that are new since `base` become those that hold a unique value or combination of theirs.
    ///
    /// A row that is folded goes, and the members of its to-many relationships, and what refers to it
    /// through a relationship without inverse, are led to the other row.
    ///
    /// - Parameters:
    ///   - base: The graph whose rows stay.
    ///   - values: Which attributes and to-one relationships of the one that stays get the values of
    ///     the one that goes, where the constraint does not say it; `nil` folds none there.
    func foldDuplicates(newSince base: Graph, taking values: FoldedValues?) {
        for table in layout.entityTables {
            for (number, policy) in layout.tables[table].clashPolicies.enumerated() {
                guard let values = FoldedValues(policy, otherwise: values) else { continue }
                foldDuplicates(
                    in: table, index: number, newSince: base, taking: values,
                    amongNew: policy != nil)
            }
        }
    }

    /// Folds the new ones among rows that hold one value of a unique attribute, or one combination, in the
    /// order of rows: which of them its index has found first makes no difference.
    private func foldDuplicates(
        in table: TableNumber, index: Int, newSince base: Graph, taking values: FoldedValues,
        amongNew: Bool
    ) {
        let duplicates = graph.tables[table].uniqueIndexes[index].duplicates
        guard !duplicates.isEmpty else { return }
        let groups = Dictionary(grouping: duplicates) {
            holder($0, ofIndex: index, in: table) ?? $0
        }
        var pairs: [(new: Row, other: Row)] = []
        for (found, others) in groups {
            let rows = (others + [found]).sorted {
                graph.objectID($0, in: table).number < graph.objectID($1, in: table).number
            }
            let saved = rows.filter { base.contains($0, in: table) }
            let new = rows.filter { !base.contains($0, in: table) }
            for row in new {
                // An object does not become one of another class: what leads to it may not lead there.
                let twin = (saved + (amongNew ? new : [])).first {
                    kind($0, in: table) == kind(row, in: table)
                }
                if let twin, twin != row { pairs.append((row, twin)) }
            }
        }
        for pair in pairs.sorted(by: { $0.new < $1.new }) {
            fold(pair.new, into: pair.other, in: table, taking: values)
        }
    }

    /// The row that the index of a unique attribute or combination finds for what a row holds.
    private func holder(_ row: Row, ofIndex index: Int, in table: TableNumber) -> Row? {
        let slots = layout.tables[table].uniqueSlots
        guard index < slots.count else {
            return graph.row(withCombination: index - slots.count, of: row, in: table)
        }
        return find(graph.datum(row, slots[index], in: table), slots[index], in: table)
    }

    private func fold(
        _ row: Row, into other: Row, in table: TableNumber, taking values: FoldedValues
    ) {
        let properties = layout.tables[table].properties
        for slot in properties.slots {
            switch access[table].traits[slot].relationship {
            case _ where layout.tables[table].isDerived(slot): break
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
