// Links of rows that are gone, of which no other row's value tells.

extension ChangeSet {
    /// The deleted rows whose delete depends on where a to-one relationship leads, and that had led elsewhere by it, or
    /// nowhere, before they went; and those that were gone already, and lead elsewhere since.
    ///
    /// Whoever deletes them again is to lead them there first, or the delete takes along what they had let go, or is
    /// forbidden by it.
    func departed(leadingElsewhereBy slot: Slot, in table: TableNumber) -> [Row] {
        let rows = tables[table]
        guard !rows.deleted.isEmpty || !rows.relinked.isEmpty,
            after.layout.bindsDeletes(slot, in: table)
        else { return [] }
        let destination = after.layout.destination(of: slot, in: table)
        let departed = rows.deleted.filter { row in
            let former = before.reference(row, slot, in: table)
            let last = after.reference(row, slot, in: table)
            // What a delete has taken along is gone, and its link with it.
            return former != last && (!last.isNone || after.contains(former, in: destination))
        }
        let relinked = rows.relinked.filter {
            before.reference($0, slot, in: table) != after.reference($0, slot, in: table)
        }
        return Array(departed + relinked)
    }
}

extension Graph {
    /// Whether a row that is gone here and in an earlier graph leads elsewhere by a relationship that forbids its delete.
    func relinks(_ row: Row, since before: Graph, in table: TableNumber) -> Bool {
        !contains(row, in: table) && !before.contains(row, in: table)
            && layout.denials.contains { denial in
                denial.table == table && layout.bindsDeletes(denial.column, in: table)
                    && reference(row, denial.column, in: table)
                        != before.reference(row, denial.column, in: table)
            }
    }
}

extension GraphLayout {
    /// Whether the delete of a row takes along what its to-one relationship leads to, or is forbidden by that, and
    /// only the row itself knows what that is.
    fileprivate func bindsDeletes(_ slot: Slot, in table: TableNumber) -> Bool {
        guard case .toOne = tables[table].relationships[slot] else { return false }
        switch tables[table].properties[slot].relationship?.deleteRule {
        case .cascade, .deny: return true
        case .nullify, .noAction, nil: return false
        }
    }
}
