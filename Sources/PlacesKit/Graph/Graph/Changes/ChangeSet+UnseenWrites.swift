extension ChangeSet {
    /// These changes, and the writes that conflicts tell of and that are not to be seen, since others saved the same
    /// value.
    ///
    /// A change set is a difference. Where it is one to a graph in which others have written the same value, it says
    /// nothing of an own write, which stays one all the same until its conflict ends.
    ///
    /// - Invariant: As long as both wrote a property, it is among these changes, with the own value.
    /// - Complexity: O(c) for c conflicts, and O(k log k) for the k changed rows of tables with such writes.
    func withUnseenWrites(of conflicts: some Collection<Conflict>) -> ChangeSet {
        counting(
            conflicts.lazy.compactMap { conflict in
                guard conflict.kind == .written, let slot = conflict.slot else { return nil }
                return (RowAddress(table: conflict.table, row: conflict.row), [slot])
            })
    }

    /// These changes, and own writes of rows that are there which are not to be seen since what they lead to is gone.
    func withBuriedWrites(of effects: SideEffects) -> ChangeSet {
        counting(effects.buried.values.lazy.map { ($0.key, $0.value.slots) })
    }

    private func counting(_ writes: some Sequence<(RowAddress, [Slot])>) -> ChangeSet {
        var unseen: [TableNumber: [Row: Set<Slot>]] = [:]
        // What came back gets all its values anyway.
        for (address, slots) in writes
        where before.contains(address.row, in: address.table)
            && after.contains(address.row, in: address.table)
        {
            unseen[address.table, default: [:]][address.row, default: []].formUnion(slots)
        }
        guard !unseen.isEmpty else { return self }
        var tables = tables
        for (table, slots) in unseen {
            tables[table].add(slots) { update in
                after.sharedSlots(of: update.row, in: table).filter {
                    hasChanged(update, $0, in: table)
                }
            }
        }
        return ChangeSet(before: before, after: after, tables: tables)
    }
}

extension TableChanges {
    /// Counts properties of rows that were there before and are there now among those that changed.
    ///
    /// - Parameters:
    ///   - slots: The properties of each row.
    ///   - shared: Those that an update changed of the ones that share one member of a mask.
    fileprivate mutating func add(
        _ slots: [Row: Set<Slot>], besides shared: (RowUpdate) -> [Slot]
    ) {
        var masks = slots.mapValues { PropertyMask(slots: $0) }
        for index in updated.indices {
            guard let mask = masks.removeValue(forKey: updated[index].row) else { continue }
            let update = updated[index]
            if mask.contains(.shared) { beyondMask[update.row] = Set(shared(update)) }
            updated[index].changes.formUnion(mask)
        }
        updated += masks.map { RowUpdate(row: $0.key, changes: $0.value) }
        updated.sort { $0.row < $1.row }
        for (row, slots) in slots where slots.contains(where: \.isShared) {
            beyondMask[row, default: []].formUnion(slots.filter(\.isShared))
        }
    }
}
