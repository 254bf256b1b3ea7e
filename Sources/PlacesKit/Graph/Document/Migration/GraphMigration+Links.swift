extension GraphMigration {
    /// One end of a relationship in the new layout.
    private struct End: Hashable {
        var table: TableNumber
        var slot: Slot
        /// The number of the entity that declares it.
        var entity: Int
    }

    /// A link between the new rows of the objects at both ends of a relationship.
    private struct Link: Hashable {
        var owner: Row
        var member: Row
    }

    /// Ties all links again.
    mutating func moveLinks() {
        var done: Set<End> = []
        for (number, entity) in layout.schema.entities.enumerated() {
            for (position, property) in zip(entity.properties.slots, entity.properties) {
                guard let relationship = property.relationship, relationship.derivation == nil
                else { continue }
                let entityLayout = layout.entities[number]
                let end = End(
                    table: entityLayout.table, slot: entityLayout.slots[position], entity: number)
                guard done.insert(end).inserted else { continue }
                let inverse = self.inverse(of: relationship)
                if let inverse { done.insert(inverse) }
                moveLinks(end, relationship, inverse)
            }
        }
    }

    private func inverse(of relationship: RelationshipDescription) -> End? {
        guard let name = relationship.inverse,
            let number = layout.schema.number(named: relationship.destination),
            let position = layout.schema.entities[number].position(named: name)
        else { return nil }
        let entity = layout.entities[number]
        return End(table: entity.table, slot: entity.slots[position], entity: number)
    }

    private mutating func moveLinks(
        _ end: End, _ relationship: RelationshipDescription, _ inverse: End?
    ) {
        var links = links(of: end)
        if let inverse {
            // Where the earlier model knew both ends as a pair they say the same.
            let known = Set(links)
            links += self.links(of: inverse).lazy
                .map { Link(owner: $0.member, member: $0.owner) }
                .filter { !known.contains($0) }
        }
        guard !links.isEmpty else { return }
        tie(links, end, relationship, inverse)
        restoreOrder(of: end)
        if let inverse { restoreOrder(of: inverse) }
    }

    // MARK: - Earlier links

    /// Calls `body` with the objects that may have had the links of an end: their rows, and where the
    /// links are.
    private func forEachSource(
        of end: End, _ body: ([Moved], _ slot: Slot, _ table: TableNumber) -> Void
    ) {
        for number in layout.tables[end.table].entities
        where layout.entities[end.entity].kinds.contains(layout.entities[number].kind) {
            guard let position = layout.entities[number].slots.firstIndex(of: end.slot),
                let slot = match.slots[number][position], let source = match.entities[number]
            else { continue }
            body(moved[number], slot, old.layout.entities[source].table)
        }
    }

    /// What an end led to, so far as it may lead there now, in its order.
    private mutating func links(of end: End) -> [Link] {
        var links: [Link] = []
        var lost = Losses<ObjectID>()
        guard
            let relationship = layout.tables[end.table].properties[end.slot].relationship,
            let destination = layout.schema.number(named: relationship.destination)
        else { return [] }
        let entityLayout = layout.entities[destination]
        forEachSource(of: end) { objects, slot, table in
            let target = old.destination(of: slot, in: table)
            let entities = old.layout.tables[target].entities
            for owner in objects {
                for member in old.related(owner.old, slot, in: table) {
                    let row = rows[target][member]
                    // What is gone takes its links along.
                    guard !row.isNone,
                        let entity = match.successors[entities[Int(old.kind(member, in: target))]]
                    else { continue }
                    if layout.entities[entity].table == entityLayout.table,
                        entityLayout.kinds.contains(layout.entities[entity].kind)
                    {
                        links.append(Link(owner: owner.new, member: row))
                    } else {
                        lost.add(old.objectID(owner.old, in: table))
                    }
                }
            }
        }
        note(lost, end)
        return links
    }

    private mutating func note(_ lost: Losses<ObjectID>, _ end: End) {
        guard let object = lost.first else { return }
        fail(
            .linksLost(
                entity: layout.entities[end.entity].name,
                relationship: layout.tables[end.table].properties[end.slot].name,
                count: lost.count, object: object))
    }

    // MARK: - Tying

    private mutating func tie(
        _ links: [Link], _ end: End, _ relationship: RelationshipDescription, _ inverse: End?
    ) {
        let mirror = inverse.flatMap { layout.tables[$0.table].properties[$0.slot].relationship }
        let isMirrorToOne = mirror.map { !$0.isToMany } ?? false
        let destination = transaction.graph.destination(of: end.slot, in: end.table)
        var (members, owners): ([Row: Row], [Row: Row]) = ([:], [:])
        var (lost, lostMirrored) = (Losses<ObjectID>(), Losses<ObjectID>())
        for link in links {
            if !relationship.isToMany, members.updateIfNew(link.member, for: link.owner) == false {
                lost.add(transaction.graph.objectID(link.owner, in: end.table))
                continue
            }
            if isMirrorToOne, owners.updateIfNew(link.owner, for: link.member) == false {
                lostMirrored.add(transaction.graph.objectID(link.member, in: destination))
                continue
            }
            if !relationship.isToMany {
                transaction.setToOne(link.owner, end.slot, in: end.table, to: link.member)
            } else if isMirrorToOne, let inverse {
                transaction.setToOne(link.member, inverse.slot, in: inverse.table, to: link.owner)
            } else {
                transaction.addMember(link.member, to: link.owner, end.slot, in: end.table)
            }
        }
        note(lost, end)
        if let inverse { note(lostMirrored, inverse) }
    }

    /// Brings the members of a to-many relationship into the order that they had.
    private func restoreOrder(of end: End) {
        guard layout.tables[end.table].properties[end.slot].relationship?.isToMany ?? false else {
            return
        }
        forEachSource(of: end) { objects, slot, table in
            guard old.layout.tables[table].properties[slot].relationship?.isToMany ?? false else {
                return
            }
            let target = old.destination(of: slot, in: table)
            for owner in objects {
                let current = Array(transaction.graph.related(owner.new, end.slot, in: end.table))
                guard current.count > 1 else { continue }
                var rest = Set(current)
                let known = old.related(owner.old, slot, in: table).compactMap { member in
                    rest.remove(rows[target][member])
                }
                let order = known + current.filter(rest.contains)
                if order != current {
                    _ = transaction.reorder(owner.new, end.slot, in: end.table, to: order)
                }
            }
        }
    }
}

extension [Row: Row] {
    /// Enters a value unless the key has one; returns whether it has this one now.
    fileprivate mutating func updateIfNew(_ value: Row, for key: Row) -> Bool {
        if let known = self[key] { return known == value }
        self[key] = value
        return true
    }
}
