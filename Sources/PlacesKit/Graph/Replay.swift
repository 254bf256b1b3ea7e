/// Changes that are to be made again on another graph, and what of them is left out.
struct Replay {
    /// The changes; rows among the inserted ones get all their values, and may exist already.
    var changes: ChangeSet
    /// Properties that stay as the other graph has them.
    private(set) var kept: Set<ChangeSet.Conflict> = []
    /// Rows that were deleted by the changes, and stay.
    private(set) var spared: Set<ChangeSet.Conflict> = []

    /// All of some changes.
    init(_ changes: ChangeSet) { self.changes = changes }

    /// Some changes on a graph that others changed meanwhile, where a policy settles the conflicts.
    ///
    /// - Complexity: O(k) for k changed rows, O(1) without conflicts.
    init(
        _ changes: ChangeSet, settling conflicts: [ChangeSet.Conflict], by policy: MergePolicy
    ) {
        self.init(changes)
        guard !conflicts.isEmpty else { return }
        var whole: Set<ChangeSet.Conflict> = []
        var dropped: Set<ChangeSet.Conflict> = []
        for conflict in conflicts {
            let row = ChangeSet.Conflict(table: conflict.table, row: conflict.row, slot: nil)
            switch policy {
            case .rollback: dropped.insert(row)
            case .mergeByPropertyStoreTrump:
                if let slot = conflict.slot {
                    keep(slot, of: conflict.row, in: conflict.table)
                } else {
                    dropped.insert(row)
                }
            case .overwrite: whole.insert(row)
            case .error, .mergeByPropertyObjectTrump:
                if conflict.slot == nil { whole.insert(row) }
            }
        }
        for table in changes.tables.indices { settle(table, whole: whole, dropped: dropped) }
    }

    /// Whether a property stays as the other graph has it.
    func keeps(_ slot: Int, of row: Int32, in table: Int) -> Bool {
        !kept.isEmpty
            && kept.contains(ChangeSet.Conflict(table: table, row: row, slot: slot))
    }

    /// Whether a row stays that the changes deleted.
    func spares(_ row: Int32, in table: Int) -> Bool {
        !spared.isEmpty
            && spared.contains(ChangeSet.Conflict(table: table, row: row, slot: nil))
    }

    /// Takes out of a table's changes what is not made again, and completes what is made as a whole.
    private mutating func settle(
        _ table: Int, whole: Set<ChangeSet.Conflict>, dropped: Set<ChangeSet.Conflict>
    ) {
        func object(_ row: Int32) -> ChangeSet.Conflict {
            ChangeSet.Conflict(table: table, row: row, slot: nil)
        }
        let entity = changes.tables[table]
        spared.formUnion(entity.deleted.lazy.map(object).filter(dropped.contains))
        changes.tables[table].deleted.removeAll { dropped.contains(object($0)) }
        changes.tables[table].inserted.removeAll { dropped.contains(object($0)) }
        for update in entity.updated {
            if whole.contains(object(update.row)) {
                changes.tables[table].inserted.append(update.row)
            } else if dropped.contains(object(update.row)) {
                for slot in changes.after.layout.tables[table].valueSlots
                where changes.hasChanged(update, slot, in: table) {
                    keep(slot, of: update.row, in: table)
                }
            }
        }
        changes.tables[table].updated.removeAll { whole.contains(object($0.row)) }
    }

    /// Leaves a property as the other graph has it, and what the change of it did at the other end of
    /// a one-to-one relationship.
    private mutating func keep(_ slot: Int, of row: Int32, in table: Int) {
        var (table, row, slot) = (table, row, slot)
        while kept.insert(ChangeSet.Conflict(table: table, row: row, slot: slot)).inserted,
            case .oneToOne(let other) = changes.after.layout.tables[table].relationships[slot]
        {
            let partner = changes.after.reference(row, slot, in: table)
            guard partner >= 0 else { return }
            kept.insert(
                ChangeSet.Conflict(table: other.table, row: partner, slot: other.column))
            // Whom the partner left for this row keeps the partner.
            let former = changes.before.reference(partner, other.column, in: other.table)
            guard former >= 0, changes.after.reference(former, slot, in: table) < 0 else { return }
            row = former
        }
    }
}
