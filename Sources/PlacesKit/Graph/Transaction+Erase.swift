extension Transaction {
    /// Takes a row out with all its links, whatever the delete rules say.
    ///
    /// - Complexity: O(k) for k links.
    func erase(_ row: Int32, from table: Int) {
        let layout = self.layout.tables[table]
        for slot in layout.relationships.indices where layout.relationships[slot] != nil {
            removeLinks(of: row, slot, in: table)
        }
        for list in layout.hiddenLists { removeMembers(of: row, list) }
        remove(row, from: table)
    }

    /// Writes the values that a new object has into a row that held another's.
    func writeDefaults(of row: Int32, _ entity: EntityLayout, in table: Int) {
        let layout = self.layout.tables[table]
        for (slot, property) in layout.properties.enumerated() {
            guard let attribute = property.attribute, attribute.derivation == nil else { continue }
            let isOwn = entity.slots.contains(slot)
            write(isOwn ? attribute.defaultValue ?? .null : .null, row, slot, in: table)
        }
    }

    /// Moves a member of a relationship behind another, or to the front; returns whether both are its
    /// members.
    func place(
        _ member: Int32, behind previous: Int32?, of row: Int32, _ slot: Int, in table: Int
    ) -> Bool {
        guard let list = access[table].traits[slot].relationship?.ownList,
            isMember(member, of: row, slot, in: table),
            let link = link(of: member, of: row, slot, in: table)
        else { return false }
        var predecessor = noRow
        if let previous {
            guard previous != member, isMember(previous, of: row, slot, in: table),
                let other = self.link(of: previous, of: row, slot, in: table)
            else { return false }
            predecessor = other
        }
        guard list.order != nil else {
            move(link, behind: predecessor, of: row, list)
            return true
        }
        let next =
            predecessor < 0
            ? reference(row, list.head, in: list.owners)
            : reference(predecessor, list.next, in: list.members)
        if next != link { move(link, before: next, of: row, list) }
        return true
    }
}
