extension Transaction {
    /// Deletes a row and, where the delete rules say so, what it leads to.
    ///
    /// A row whose rule is `deny` goes too, but keeps the links that forbid it: `deniedDeletes`
    /// finds them when the changes are checked, unless the other ends are gone by then.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - table: Its table.
    ///   - spared: Rows that are not taken along, and lose their links only.
    /// - Complexity: O(k) for k deleted rows and links.
    func delete(_ row: Row, from table: TableNumber, sparing spared: Set<RowAddress> = []) {
        var pending = [(table: table, row: row)]
        while let (table, row) = pending.popLast() {
            guard contains(row, in: table) else { continue }
            var isDenied = false
            for deletion in traits[table].deletions {
                let slot = deletion.slot
                switch deletion.rule {
                case .deny:
                    removeDeadLinks(of: row, deletion, in: table)
                    isDenied = isDenied || !graph.related(row, slot, in: table).isEmpty
                    continue
                case .cascade:
                    forEachRelated(row, slot, deletion.relationship, in: table) {
                        let address = RowAddress(table: deletion.destination, row: $0)
                        guard spared.isEmpty || !spared.contains(address) else { return }
                        pending.append((deletion.destination, $0))
                    }
                case .nullify, .noAction: break
                }
                removeLinks(of: row, slot, in: table)
            }
            for list in traits[table].hiddenLists { removeMembers(of: row, list) }
            remove(row, from: table)
            if isDenied { denials.insert(row, in: table) }
        }
    }

    /// Calls `body` with each row that deleting a row takes along at once.
    func forEachCascaded(
        from row: Row, in table: TableNumber, _ body: (TableNumber, Row) -> Void
    ) {
        for deletion in traits[table].deletions where deletion.rule == .cascade {
            forEachRelated(row, deletion.slot, deletion.relationship, in: table) {
                body(deletion.destination, $0)
            }
        }
    }

    /// Takes the links to rows away that are gone themselves, and were kept by a rule of their own.
    private func removeDeadLinks(
        of row: Row, _ deletion: TableTraits.Deletion, in table: TableNumber
    ) {
        for other in Array(graph.related(row, deletion.slot, in: table))
        where !contains(other, in: deletion.destination) {
            switch deletion.relationship {
            case .toMany, .manyToMany:
                removeMember(other, from: row, deletion.slot, in: table)
            case .toOne, .oneToOne:
                setToOne(row, deletion.slot, in: table, to: .none)
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

    /// Whether a relationship can lead to a row as it did: one that exists, or one whose delete just such
    /// links forbid.
    func canLead(_ relationship: RelationshipLayout, to row: Row) -> Bool {
        let destination = relationship.destination
        if contains(row, in: destination) { return true }
        guard let inverse = relationship.inverse, layout.denials.contains(inverse) else {
            return false
        }
        return denies(row, in: destination)
    }

    /// Whether a row was deleted against a rule, here or in the graph that this one is a fork of; it may have come back.
    func denies(_ row: Row, in table: TableNumber) -> Bool {
        denials.contains(row, in: table) || parentDenials.contains(row, in: table)
    }

    /// The rows that were deleted against a rule here, or in the graph that this one is a fork of.
    var knownDenials: DeniedDeletes { parentDenials.union(denials) }

    /// Goes on knowing which rows of the graph it began with were deleted against a rule: what forbade it may
    /// have been deleted as well, and comes back with an undo.
    func remember(_ former: DeniedDeletes) {
        for (table, row) in former.rows
        where base.contains(row, in: table) && !contains(row, in: table) {
            denials.insert(row, in: table)
        }
    }
}
