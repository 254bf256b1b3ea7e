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
        // What is moved to the other row may hold the combination of what is there; each fold takes a new row away.
        while foldsAny(newSince: base, taking: values) {}
    }

    /// Goes through all unique attributes and combinations once; returns whether it folded any row.
    private func foldsAny(newSince base: Graph, taking values: FoldedValues?) -> Bool {
        var isFolded = false
        for table in layout.entityTables {
            for (number, policy) in layout.tables[table].clashPolicies.enumerated() {
                guard let values = FoldedValues(policy, otherwise: values) else { continue }
                let folds = foldsAny(
                    in: table, index: number, newSince: base, taking: values,
                    amongNew: policy != nil)
                isFolded = isFolded || folds
            }
        }
        return isFolded
    }

    /// Folds the new ones among rows that hold one value of a unique attribute, or one combination, in the
    /// order of rows: which of them its index has found first makes no difference.
    private func foldsAny(
        in table: TableNumber, index: Int, newSince base: Graph, taking values: FoldedValues,
        amongNew: Bool
    ) -> Bool {
        let duplicates = graph.tables[table].uniqueIndexes[index].duplicates
        guard !duplicates.isEmpty else { return false }
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
        for pair in pairs.sorted(by: { $0.new < $1.new })
        // A fold may take others along, by a delete rule.
        where contains(pair.new, in: table) && contains(pair.other, in: table) {
            fold(pair.new, into: pair.other, in: table, taking: values)
        }
        return !pairs.isEmpty
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
        var replaced: [RowAddress] = []
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
                let partner = moveLink(of: row, slot, in: table, to: other, taking: values)
                if let partner { replaced.append(partner) }
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
        for partner in replaced { delete(partner.row, from: partner.table) }
    }

    /// Lets the other row have a to-one link of a row that is folded, if its value is taken.
    ///
    /// What neither row holds then goes as the delete rule says: what the one that is folded leads to, with
    /// it, unless the other one is that or holds it too.
    ///
    /// - Returns: The former partner of the other row that is to go as well.
    private func moveLink(
        of row: Row, _ slot: Slot, in table: TableNumber, to other: Row,
        taking values: FoldedValues
    ) -> RowAddress? {
        let target = reference(row, slot, in: table)
        let former = reference(other, slot, in: table)
        let rule = layout.tables[table].properties[slot].relationship?.deleteRule
        if values == .all || values == .given && !target.isNone {
            setToOne(row, slot, in: table, to: .none)
            setToOne(other, slot, in: table, to: target)
            guard rule == .cascade, !former.isNone, former != target,
                case .oneToOne(let end) = access[table].traits[slot].relationship
            else { return nil }
            return RowAddress(table: end.table, row: former)
        }
        if rule != .cascade || target == former || target == other {
            setToOne(row, slot, in: table, to: .none)
        }
        return nil
    }

    private func moveMembers(of row: Row, _ list: ListLayout, to other: Row) {
        while case let member = reference(row, list.head, in: list.owners), !member.isNone {
            setToOne(member, list.owner, in: list.members, to: other)
        }
    }
}
