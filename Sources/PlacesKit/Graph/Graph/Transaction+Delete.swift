extension Transaction {
    /// Deletes a row and, where the delete rules say so, what it leads to.
    ///
    /// A row whose rule is `deny` goes too, but keeps the links that forbid it: `deniedDeletes`
    /// finds them when the changes are checked, unless the other ends are gone by then.
    ///
    /// - Complexity: O(k) for k deleted rows and links.
    func delete(_ row: Row, from table: TableNumber) {
        var pending = [(table: table, row: row)]
        while let (table, row) = pending.popLast() {
            guard contains(row, in: table) else { continue }
            let properties = layout.tables[table].properties
            var isDenied = false
            for slot in properties.slots {
                guard let relationship = properties[slot].relationship else { continue }
                switch relationship.deleteRule {
                case .deny:
                    removeDeadLinks(of: row, slot, relationship, in: table)
                    isDenied = isDenied || !graph.related(row, slot, in: table).isEmpty
                    continue
                case .cascade:
                    let destination = graph.destination(of: slot, in: table)
                    pending += graph.related(row, slot, in: table)
                        .map { (table: destination, row: $0) }
                case .nullify, .noAction: break
                }
                removeLinks(of: row, slot, in: table)
            }
            for list in layout.tables[table].hiddenLists { removeMembers(of: row, list) }
            remove(row, from: table)
            if isDenied { denials.insert(row, in: table) }
        }
    }

    /// Whether deleting a row of a table may delete others.
    func cascades(from table: TableNumber) -> Bool {
        layout.tables[table].properties.contains { $0.relationship?.deleteRule == .cascade }
    }

    /// The rows that deleting a row takes along at once.
    func cascaded(from row: Row, in table: TableNumber) -> [(table: TableNumber, row: Row)] {
        let properties = layout.tables[table].properties
        return properties.slots.flatMap { slot -> [(table: TableNumber, row: Row)] in
            guard let relationship = properties[slot].relationship,
                relationship.deleteRule == .cascade
            else { return [] }
            let destination = graph.destination(of: slot, in: table)
            return graph.related(row, slot, in: table).map { (destination, $0) }
        }
    }

    /// Takes the links to rows away that are gone themselves, and were kept by a rule of their own.
    private func removeDeadLinks(
        of row: Row, _ slot: Slot, _ relationship: RelationshipDescription, in table: TableNumber
    ) {
        let destination = graph.destination(of: slot, in: table)
        for other in Array(graph.related(row, slot, in: table))
        where !contains(other, in: destination) {
            if relationship.isToMany {
                removeMember(other, from: row, slot, in: table)
            } else {
                setToOne(row, slot, in: table, to: .none)
            }
        }
    }

    /// The relationships of `graph` that forbid deletes made here.
    ///
    /// Rows that were never saved count too: what refers to them would lead nowhere.
    func deniedDeletes(in graph: Graph) -> [(table: TableNumber, row: Row, slot: Slot)] {
        var denied: [(table: TableNumber, row: Row, slot: Slot)] = []
        for (table, row) in denials.rows where !graph.contains(row, in: table) {
            let properties = layout.tables[table].properties
            for slot in properties.slots
            where properties[slot].relationship?.deleteRule == .deny
                && !graph.related(row, slot, in: table).isEmpty
            {
                denied.append((table, row, slot))
            }
        }
        return denied
    }

    /// Whether a to-one relationship can lead to a row as it did: one that exists, or one whose delete just such
    /// links forbid.
    func canLead(_ slot: Slot, of table: TableNumber, to row: Row) -> Bool {
        let (destination, inverse): (TableNumber, Slot?)
        switch access[table].traits[slot].relationship {
        case .toOne(let list): (destination, inverse) = (list.owners, list.ownerSlot)
        case .oneToOne(let other): (destination, inverse) = (other.table, other.column)
        case .toMany, .manyToMany, nil: return false
        }
        if contains(row, in: destination) { return true }
        guard let inverse,
            layout.tables[destination].properties[inverse].relationship?.deleteRule == .deny
        else { return false }
        return denials.contains(row, in: destination)
    }

    /// Goes on knowing which rows of the graph it began with were deleted against a rule: what forbade it may
    /// have been deleted as well, and comes back with an undo.
    func remember(_ former: DeniedDeletes) {
        for (table, row) in former.rows
        where base.contains(row, in: table) && !contains(row, in: table) {
            denials.insert(row, in: table)
        }
    }
}
