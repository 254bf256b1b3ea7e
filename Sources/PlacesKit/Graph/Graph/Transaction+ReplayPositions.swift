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
                let returning = replay.returningLinks(of: relationship)
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
        let (links, came) = moves.links(of: row)
        for link in links {
            let member = after.member(link)
            guard isThere(member),
                came.contains(link)
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
    /// The links of rows that come back to the owners of an ordered relationship.
    fileprivate func returningLinks(of relationship: RelationshipLayout?) -> Set<Row> {
        guard let relationship, let list = relationship.ownList, list.order != nil else {
            return []
        }
        let after = changes.after
        var links: Set<Row> = []
        for (table, row) in revived where table == relationship.destination {
            if let other = relationship.otherList {
                links.formUnion(after.links(of: row, other))
            } else {
                links.insert(row)
            }
        }
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
