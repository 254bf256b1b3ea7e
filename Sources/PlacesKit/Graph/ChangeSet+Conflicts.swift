extension ChangeSet {
    /// A property that this change and another graph changed differently; `slot` is `nil` where one
    /// deleted the row that the other changed.
    struct Conflict: Hashable {
        var table: Int
        var row: Int32
        var slot: Int?
    }

    /// What cannot be made again on a graph that others changed since `before`.
    ///
    /// Members of to-many relationships never conflict: adding and removing members commute, and a
    /// member that both moved is a conflict of its own to-one side.
    func conflicts(with other: Graph) -> [Conflict] {
        var conflicts: [Conflict] = []
        for table in tables.indices {
            let slots = after.layout.tables[table].valueSlots
            for update in tables[table].updated {
                let isThere = other.contains(update.row, in: table)
                for slot in slots where hasChanged(update, slot, in: table) {
                    if !isThere {
                        conflicts.append(Conflict(table: table, row: update.row, slot: nil))
                        break
                    }
                    if other.differs(from: before, update.row, slot, in: table)
                        && other.differs(from: after, update.row, slot, in: table)
                    {
                        conflicts.append(Conflict(table: table, row: update.row, slot: slot))
                    }
                }
            }
            for row in tables[table].deleted where other.contains(row, in: table) {
                if slots.contains(where: { other.differs(from: before, row, $0, in: table) }) {
                    conflicts.append(Conflict(table: table, row: row, slot: nil))
                }
            }
        }
        return conflicts
    }

    /// Whether an update changed a property; the mask alone tells only that one of those from slot
    /// 61 on did.
    func hasChanged(_ update: RowUpdate, _ slot: Int, in table: Int) -> Bool {
        update.changes.contains(PropertyMask(slot: slot))
            && (slot < 61 || after.differs(from: before, update.row, slot, in: table))
    }
}

extension TableLayout {
    /// The slots of the attributes and to-one relationships, without what is derived.
    var valueSlots: [Int] {
        relationships.indices.filter { slot in
            switch relationships[slot] {
            case .toMany, .manyToMany: false
            case .toOne, .oneToOne: true
            case nil: !isDerived(slot)
            }
        }
    }
}
