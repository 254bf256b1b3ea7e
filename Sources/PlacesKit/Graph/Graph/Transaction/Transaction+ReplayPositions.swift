extension Transaction {
    /// Brings the members of ordered relationships into the positions that changes gave them.
    ///
    /// Members that the changes moved, added or brought back come after the member that they came after there, as far
    /// as it is there; the others stay in the order that they have here. So of two who moved the same
    /// member the later one has it, and moves of different members are both kept.
    ///
    /// - Complexity: O(k log n) for k changed links in lists of n, and O(m) for m members that others took away
    ///   before them.
    func applyPositions(_ replay: Replay) {
        let changes = replay.changes
        for table in changes.tables.tableNumbers {
            let relationships = layout.tables[table].relationships
            for (slot, relationship) in zip(relationships.slots, relationships) {
                let returning = replay.returningLinks(of: relationship, slot, in: table)
                guard changes.hasChanged(slot, in: table) || !returning.isEmpty,
                    let moves = OrderedMoves(
                        of: relationship, from: changes.before, to: changes.after,
                        returning: returning)
                else { continue }
                let updated = changes.tables[table].updated.lazy.filter {
                    changes.hasChanged($0, slot, in: table)
                }
                for row in changes.tables[table].inserted + updated.map(\.row)
                    + Set(returning.lazy.map(moves.after.owner)) where contains(row, in: table)
                {
                    apply(moves, of: row, slot, in: table, by: replay)
                }
            }
        }
    }

    private func apply(
        _ moves: OrderedMoves, of row: Row, _ slot: Slot, in table: TableNumber, by replay: Replay
    ) {
        let after = moves.after
        func previous(_ link: Row) -> Row {
            after.graph.reference(link, after.list.previous, in: after.list.members)
        }
        func isThere(_ member: Row) -> Bool {
            contains(member, in: layout.destination(of: slot, in: table))
                && isMember(member, of: row, slot, in: table)
        }
        for link in moves.links(of: row).all {
            let member = after.member(link)
            guard isThere(member), !replay.keepsMember(member, of: after.list),
                moves.before.link(member, of: row) == nil
                    || !replay.keepsPosition(of: member, in: row, slot, table)
            else { continue }
            var former = previous(link)
            while !former.isNone, !isThere(after.member(former)) { former = previous(former) }
            moveMember(
                member, behind: former.isNone ? nil : after.member(former), of: row, slot,
                in: table)
        }
    }
}

extension Replay {
    /// The links of an ordered relationship that count as moved, also where no difference shows it: those of rows that
    /// come back, of members that others moved as well, and of those that stay where others put them.
    fileprivate func returningLinks(
        of relationship: RelationshipLayout?, _ slot: Slot, in table: TableNumber
    ) -> Set<Row> {
        guard let relationship, let list = relationship.ownList, list.order != nil else {
            return []
        }
        let after = changes.after
        var links: Set<Row> = []
        for (members, row) in revived where members == relationship.destination {
            if let other = relationship.otherList {
                links.formUnion(after.links(of: row, other))
            } else {
                links.insert(row)
            }
        }
        let lists = ListView(graph: after, list: list, other: relationship.otherList)
        for (owner, member) in contestedMembers(of: slot, in: table)
        where after.contains(owner, in: table)
            && after.contains(member, in: relationship.destination)
        {
            if let link = lists.link(member, of: owner) { links.insert(link) }
        }
        links.formUnion(keptMembers(of: list).filter(lists.isLink))
        return links
    }
}

extension RelationshipLayout {
    /// The list that an owner of a to-many relationship has.
    var ownList: ListLayout? {
        switch self {
        case .toMany(let list), .manyToMany(let list, _): list
        case .toOne, .oneToOne: nil
        }
    }

    /// The list at the other end of a many-to-many relationship.
    var otherList: ListLayout? {
        if case .manyToMany(_, let other) = self { other } else { nil }
    }
}
