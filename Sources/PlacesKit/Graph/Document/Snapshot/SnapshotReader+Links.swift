import PlacesBase
extension SnapshotReader {
    /// Ties the links, then brings listed members into their order.
    ///
    /// Which side of a many-to-many relationship lists its members follows the order of the classes
    /// when the file was written, so either may.
    func tieLinks(_ json: borrowing (some SnapshotInput & ~Copyable)) throws {
        /// The members of one object's relationship, as they are listed.
        var lists: [(first: SnapshotLink, members: [Row])] = []
        let allNumbers = transaction.graph.tables.map(\.numbers)
        // Looked up where links begin to lead elsewhere: the numbers would be counted for each link.
        var (leadsTo, numbers): (TableNumber?, RowNumbers) = (nil, RowNumbers())
        for link in links {
            let destination = transaction.graph.destination(of: link.slot, in: link.table)
            if destination != leadsTo {
                (leadsTo, numbers) = (destination, allNumbers[destination])
            }
            guard let target = numbers.row(of: link.target),
                transaction.contains(target, in: destination)
            else {
                let entity = layout.tables[destination].name
                try lose(json.expected("the number of an existing \(entity)", at: link.offset))
                continue
            }
            if let entity = missedEntity(of: target, in: destination, link) {
                try lose(json.expected("the number of an existing \(entity)", at: link.offset))
                continue
            }
            switch layout.tables[link.table].relationships[link.slot] {
            case .toOne:
                transaction.setToOne(link.row, link.slot, in: link.table, to: target)
                continue
            case .oneToOne(let other):
                let rival = transaction.reference(target, other.column, in: other.table)
                guard rival.isNone || rival == link.row else {
                    try lose(
                        json.expected(
                            "an object that no other object names here", at: link.offset))
                    continue
                }
                transaction.setToOne(link.row, link.slot, in: link.table, to: target)
                continue
            case .manyToMany:
                transaction.addMember(target, to: link.row, link.slot, in: link.table)
            case .toMany, nil: break
            }
            if let last = lists.indices.last,
                lists[last].first.table == link.table, lists[last].first.row == link.row,
                lists[last].first.slot == link.slot
            {
                lists[last].members.append(target)
            } else {
                lists.append((link, [target]))
            }
        }
        for (link, members) in lists { try order(link, members, json) }
    }

    /// Leaves a link out that cannot be, unless that is an error.
    private func lose(_ failure: JSONError) throws {
        guard let onLostLink else { throw failure }
        onLostLink(failure)
    }

    /// The entity that a relationship names, if what a link leads to is no object of it.
    private func missedEntity(
        of target: Row, in destination: TableNumber, _ link: SnapshotLink
    ) -> String? {
        guard layout.tables[destination].kinds != nil,
            let name = layout.tables[link.table].properties[link.slot].relationship?.destination,
            let number = schema.number(named: name),
            !transaction.graph.isObject(target, of: layout.entities[number])
        else { return nil }
        return name
    }

    private func order(
        _ link: SnapshotLink, _ members: [Row], _ json: borrowing (some SnapshotInput & ~Copyable)
    ) throws {
        let (row, slot, table) = (link.row, link.slot, link.table)
        let graph = transaction.graph
        guard !graph.related(row, slot, in: table).elementsEqual(members),
            !transaction.reorder(row, slot, in: table, to: members)
        else { return }
        let name = layout.tables[table].properties[slot].name
        let number = graph.number(of: row, in: table)
        try lose(
            json.expected(
                """
                in \(name) of \(layout.tables[table].name) \(number) just the objects that \
                name it as theirs, each once
                """, at: link.offset))
    }
}
