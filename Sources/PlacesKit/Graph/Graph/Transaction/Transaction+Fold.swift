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

/// What rows became that were folded into others.
struct FoldedRows {
    private var others: [RowAddress: Row] = [:]

    /// Notes that a row became another one, which may become a third.
    mutating func note(_ row: Row, as other: Row, in table: TableNumber) {
        others[RowAddress(table: table, row: row)] = other
    }

    /// What a row became in the end: itself, where it was not folded.
    func heir(of row: Row, in table: TableNumber) -> Row {
        var row = row
        while let other = others[RowAddress(table: table, row: row)] { row = other }
        return row
    }
}

extension Transaction {
    /// Lets rows that are new since `base` become those that hold a unique value or combination of theirs.
    ///
    /// A row that is folded goes, and the members of its to-many relationships, and what refers to it
    /// through a relationship without inverse, are led to the other row, which gets its place in ordered
    /// relationships.
    ///
    /// - Parameters:
    ///   - base: The graph whose rows stay.
    ///   - values: Which attributes and to-one relationships of the one that stays get the values of
    ///     the one that goes, where the constraint does not say it; `nil` folds none there.
    ///   - some: The rows that may go; all that are new by default.
    ///   - isNoted: Whether what rows become is noted.
    /// - Returns: What rows became, if that was noted.
    @discardableResult
    func foldDuplicates(
        newSince base: Graph, taking values: FoldedValues?, among some: Set<RowAddress>? = nil,
        isNoted: Bool = false
    ) -> FoldedRows? {
        var folds = Folds(rows: isNoted ? FoldedRows() : nil)
        // What is moved to the other row may hold the combination of what is there; each fold takes a new row away.
        while foldsAny(newSince: base, taking: values, among: some, noting: &folds) {}
        // Not before: a partner may be one that another becomes, which then has its owner.
        for partner in folds.released where contains(partner.row, in: partner.table) {
            if reference(partner.row, partner.owner, in: partner.table).isNone {
                delete(partner.row, from: partner.table)
            }
        }
        return folds.rows
    }

    /// What folding has done, and is still to do.
    private struct Folds {
        /// What rows became; `nil` where nobody asks.
        var rows: FoldedRows?
        var released: [ReleasedPartner] = []
    }

    /// A row to which a cascading to-one relationship led, and does not any more.
    private struct ReleasedPartner {
        let row: Row
        let table: TableNumber
        /// Where it has its owner, or the first of several.
        let owner: Slot

        init?(_ row: Row, of relationship: RelationshipLayout?) {
            switch relationship {
            case .toOne(let list): (table, owner) = (list.owners, list.head)
            case .oneToOne(let end): (table, owner) = (end.table, end.column)
            case .toMany, .manyToMany, nil: return nil
            }
            guard !row.isNone else { return nil }
            self.row = row
        }
    }

    /// Goes through all unique attributes and combinations once; returns whether it folded any row.
    private func foldsAny(
        newSince base: Graph, taking values: FoldedValues?, among some: Set<RowAddress>?,
        noting folds: inout Folds
    ) -> Bool {
        var isFolded = false
        for table in layout.entityTables {
            for (number, policy) in layout.tables[table].clashPolicies.enumerated() {
                guard let values = FoldedValues(policy, otherwise: values) else { continue }
                let isAnyFolded = foldsAny(
                    in: table, index: number, newSince: base, taking: values, among: some,
                    amongNew: policy != nil, noting: &folds)
                isFolded = isFolded || isAnyFolded
            }
        }
        return isFolded
    }

    /// Folds the new ones among rows that hold one value of a unique attribute, or one combination, in the
    /// order of rows: which of them its index has found first makes no difference.
    private func foldsAny(
        in table: TableNumber, index: Int, newSince base: Graph, taking values: FoldedValues,
        among some: Set<RowAddress>?, amongNew: Bool, noting folds: inout Folds
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
            for row in new where some?.contains(RowAddress(table: table, row: row)) ?? true {
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
            fold(
                pair.new, into: pair.other, in: table, newSince: base, taking: values,
                releasing: &folds.released)
            folds.rows?.note(pair.new, as: pair.other, in: table)
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
        _ row: Row, into other: Row, in table: TableNumber, newSince base: Graph,
        taking values: FoldedValues, releasing released: inout [ReleasedPartner]
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
                let partner = moveLink(
                    of: row, slot, in: table, to: other, base: base, taking: values)
                if properties[slot].relationship?.deleteRule == .cascade,
                    let partner = ReleasedPartner(
                        partner, of: access[table].traits[slot].relationship)
                {
                    released.append(partner)
                }
            case .toMany(let list): moveMembers(of: row, list, to: other)
            case .manyToMany(let own, let inverse):
                for member in graph.related(row, slot, in: table) {
                    let isNew = addMember(member, to: other, slot, in: table)
                    guard isNew, inverse.order != nil,
                        let new = edge(other, own, member, inverse),
                        let former = edge(row, own, member, inverse)
                    else { continue }
                    move(new, before: former, of: member, inverse)
                }
                removeLinks(of: row, slot, in: table)
            }
        }
        for list in layout.tables[table].hiddenLists { moveMembers(of: row, list, to: other) }
        delete(row, from: table)
    }

    /// Lets the other row have a to-one link of a row that is folded, if its value is taken.
    ///
    /// A partner of the other row's own, which has only gone over to the row that is folded, comes back. The
    /// partner in a one-to-one relationship refers to the row that is folded, and from then on to the other
    /// one, if that has no partner.
    ///
    /// - Returns: What one of them led to, and neither does any more.
    private func moveLink(
        of row: Row, _ slot: Slot, in table: TableNumber, to other: Row, base: Graph,
        taking values: FoldedValues
    ) -> Row {
        let target = reference(row, slot, in: table)
        let former = reference(other, slot, in: table)
        let isInTable = layout.destination(of: slot, in: table) == table
        func isOther(_ row: Row) -> Bool { isInTable && row == other }
        let wasOwn =
            base.contains(other, in: table) && base.reference(other, slot, in: table) == target
        let isTaken =
            values == .all
            || !target.isNone
                && (values == .given
                    || former.isNone && (wasOwn || refersBack(slot, in: table) && !isOther(target)))
        if isTaken {
            setToOne(other, slot, in: table, to: target)
            if case .toOne(let list) = access[table].traits[slot].relationship,
                list.order != nil, !target.isNone, target != former
            {
                move(other, before: row, of: target, list)
            }
        }
        setToOne(row, slot, in: table, to: .none)
        let (rest, held) = isTaken ? (former, target) : (target, former)
        return rest == held || isOther(rest) ? .none : rest
    }

    /// Whether what a to-one relationship leads to refers back, and is not just a part of the row.
    private func refersBack(_ slot: Slot, in table: TableNumber) -> Bool {
        guard case .oneToOne = access[table].traits[slot].relationship else { return false }
        return layout.tables[table].properties[slot].relationship?.deleteRule != .cascade
    }

    private func moveMembers(of row: Row, _ list: ListLayout, to other: Row) {
        while case let member = reference(row, list.head, in: list.owners), !member.isNone {
            setToOne(member, list.owner, in: list.members, to: other)
        }
    }
}
