extension Transaction {
    /// Brings the members of ordered relationships into the positions that changes gave them.
    ///
    /// Members that the changes moved or added come after the member that they came after there, as far
    /// as it is there; the others stay in the order that they have here. So of two who moved the same
    /// member the later one has it, and moves of different members are both kept.
    ///
    /// - Complexity: O(m log m) for each owner of m members that changed.
    func applyPositions(_ replay: Replay) {
        let changes = replay.changes
        for table in changes.tables.tableNumbers {
            let relationships = layout.tables[table].relationships
            for slot in relationships.slots where relationships[slot]?.ownList?.order != nil {
                let updated = changes.tables[table].updated.lazy.filter {
                    changes.hasChanged($0, slot, in: table)
                }
                for row in changes.tables[table].inserted + updated.map(\.row)
                where contains(row, in: table) {
                    applyPositions(of: row, slot, in: table, by: replay)
                }
            }
        }
    }

    private func applyPositions(
        of row: Row, _ slot: Slot, in table: TableNumber, by replay: Replay
    ) {
        let changes = replay.changes
        guard let relationship = access[table].traits[slot].relationship,
            let list = relationship.ownList
        else { return }
        let members = Array(changes.after.related(row, slot, in: table))
        var links: [Row: Row] = [:]
        for link in graph.links(of: row, list) { links[member(link, relationship)] = link }
        let moved = changes.after.membersMoved(since: changes.before, of: row, slot, in: table)
        let known =
            changes.before.contains(row, in: table)
            ? Set(changes.before.related(row, slot, in: table)) : []
        var previous = Row.none
        for member in members {
            guard let link = links[member] else { continue }
            if !known.contains(member)
                || moved.contains(member) && !replay.keepsPosition(of: member, in: row, slot, table)
            {
                move(link, behind: previous, of: row, list)
            }
            previous = link
        }
    }

    /// The members at the end of a link.
    private func member(_ link: Row, _ relationship: RelationshipLayout) -> Row {
        guard case .manyToMany(let own, let other) = relationship else { return link }
        return reference(link, other.owner, in: own.members)
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
}
