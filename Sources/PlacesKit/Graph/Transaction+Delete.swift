extension Transaction {
    /// Deletes a row and, where the delete rules say so, what it leads to.
    ///
    /// A row whose rule is `deny` goes too, but keeps the links that forbid it: `deniedDeletes`
    /// finds them when the changes are checked, unless the other ends are gone by then.
    ///
    /// - Complexity: O(k) for k deleted rows and links.
    func delete(_ row: Int32, from table: Int) {
        var pending = [(table: table, row: row)]
        while let (table, row) = pending.popLast() {
            guard contains(row, in: table) else { continue }
            let entity = graph.schema.entities[table]
            for slot in entity.properties.indices {
                guard let relationship = entity.properties[slot].relationship else { continue }
                switch relationship.deleteRule {
                case .deny: continue
                case .cascade:
                    guard
                        let destination = graph.schema.number(named: relationship.destination)
                    else { continue }
                    pending += graph.related(row, slot, in: table)
                        .map { (table: destination, row: $0) }
                case .nullify: break
                }
                removeLinks(of: row, slot, in: table)
            }
            for list in graph.layout.tables[table].hiddenLists { removeMembers(of: row, list) }
            remove(row, from: table)
        }
    }

    /// The relationships that forbid deletes made since the graph was `graph`.
    func deniedDeletes(
        in changes: ChangeSet
    ) -> [(table: Int, row: Int32, slot: Int)] {
        var denied: [(table: Int, row: Int32, slot: Int)] = []
        for table in changes.tables.indices {
            let properties = graph.schema.entities[table].properties
            let slots = properties.indices.filter {
                properties[$0].relationship?.deleteRule == .deny
            }
            guard !slots.isEmpty else { continue }
            for row in changes.tables[table].deleted {
                for slot in slots
                where graph.related(row, slot, in: table).contains(where: { _ in true }) {
                    denied.append((table, row, slot))
                }
            }
        }
        return denied
    }
}
