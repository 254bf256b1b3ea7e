extension Replay {
    /// What links led to a row that was gone already; what others deleted since is not led to.
    func mayLead(toDeleted row: Row, in table: TableNumber) -> Bool {
        !changes.after.contains(row, in: table)
    }

    func arrivals(in table: TableNumber) -> [Arrival] {
        var arrivals = changes.tables[table].inserted.map {
            Arrival(
                row: $0, kind: changes.after.kind($0, in: table),
                generation: changes.after.generation($0, in: table))
        }
        arrivals += effects.buried.arrivals(in: table)
        return arrivals
    }

    func departures(in table: TableNumber) -> [Row] { Array(changes.tables[table].deleted) }

    var staying: Set<RowAddress> {
        Set(spared.lazy.map { RowAddress(table: $0.table, row: $0.row) })
    }

    func write(_ slot: Slot, in table: TableNumber, to transaction: Transaction) {
        var rows = rows(changing: slot, in: table)
        // What is about to be deleted reads as it last was here, whatever others wrote since.
        if !keepsLastValues { rows += changes.tables[table].deleted }
        for row in rows where transaction.contains(row, in: table) {
            transaction.copy(row, slot, of: changes.after, to: row, in: table)
        }
        for (row, graph) in buriedRows(writing: slot, in: table)
        where transaction.contains(row, in: table) {
            transaction.copy(row, slot, of: graph, to: row, in: table)
        }
    }

    func links(of slot: Slot, in table: TableNumber) -> [Link] {
        let (before, after) = (changes.before, changes.after)
        let destination = after.layout.destination(of: slot, in: table)
        let rows = rows(changing: slot, in: table).filter { row in
            effects.buriedGraph(of: slot, row, in: table, under: after) == nil
                && (!after.reference(row, slot, in: table).isNone
                    || !spares(before.reference(row, slot, in: table), in: destination))
        }
        // What shows came later than what does not.
        return buriedRows(writing: slot, in: table).map { row, graph in
            Link(row: row, target: graph.reference(row, slot, in: table))
        } + after.links(from: rows, slot, in: table)
    }

    private func buriedRows(
        writing slot: Slot, in table: TableNumber
    ) -> [(row: Row, graph: Graph)] {
        effects.buried.rows(writing: slot, in: table).filter { row, _ in
            !keeps(slot, of: row, in: table)
                && effects.buriedGraph(of: slot, row, in: table, under: changes.after) != nil
        }
    }

    /// The rows that have another value of a property, and those that went with another link.
    private func rows(changing slot: Slot, in table: TableNumber) -> ContiguousArray<Row> {
        var rows = changes.rows(changing: slot, in: table)
        rows.removeAll { keeps(slot, of: $0, in: table) }
        rows += changes.departed(leadingElsewhereBy: slot, in: table)
        if !completed.isEmpty {
            rows += completed.lazy.filter { $0.table == table && $0.slot == slot }.map(\.row)
        }
        return rows
    }

    func returnMembers(in transaction: Transaction) {
        for (table, row) in revived {
            transaction.returnMembers(to: row, in: table, from: changes.after)
        }
    }

    func pairs(in table: TableNumber) -> (parted: [EdgeEnds], joined: [EdgeEnds]) {
        let after = changes.after
        guard let (first, second) = after.layout.edgeLists(of: table) else { return ([], []) }
        var (parted, edges) = after.edges(differingFrom: changes.before, in: table)
        for (owners, row) in revived {
            for list in [first, second] where list.owners == owners {
                edges += after.links(of: row, list)
            }
        }
        let followed = effects.parted[table] ?? []
        parted.removeAll {
            spares($0.first, in: first.owners) || spares($0.second, in: second.owners)
                || followed.contains($0)
        }
        var joined = after.sequenced(edges, first, second).map { after.ends(of: $0, in: table) }
        joined.removeAll {
            withdraws($0.first, in: first.owners) && withdraws($0.second, in: second.owners)
        }
        let buried = effects.buried.pairs[table] ?? ([], [])
        return (parted + buried.parted, joined + buried.joined)
    }

    func arrangeMembers(in transaction: Transaction) { transaction.applyPositions(self) }
}

extension ChangeSet {
    /// The rows that have another value of a property, those that are new first.
    func rows(changing slot: Slot, in table: TableNumber) -> ContiguousArray<Row> {
        var rows = tables[table].inserted
        for update in tables[table].updated where hasChanged(update, slot, in: table) {
            rows.append(update.row)
        }
        return rows
    }
}
