extension Transaction {
    /// Takes a row out with all its links, whatever the delete rules say.
    ///
    /// - Complexity: O(k) for k links.
    func erase(_ row: Row, from table: TableNumber) {
        let layout = self.layout.tables[table]
        for slot in layout.relationships.slots where layout.relationships[slot] != nil {
            removeLinks(of: row, slot, in: table)
        }
        for list in layout.hiddenLists { removeMembers(of: row, list) }
        remove(row, from: table)
    }

    /// Writes the values that a new object has into a row that held another's.
    func writeDefaults(of row: Row, _ entity: EntityLayout, in table: TableNumber) {
        let layout = self.layout.tables[table]
        for (slot, property) in zip(layout.properties.slots, layout.properties) {
            guard let attribute = property.attribute, attribute.derivation == nil else { continue }
            let isOwn = entity.slots.contains(slot)
            write(isOwn ? attribute.defaultValue ?? .null : .null, row, slot, in: table)
        }
    }
}
