/// What a merge changed besides the own changes, since it followed from them on top of what others saved.
///
/// A delete takes along what others have led to its object since, and a row that comes back takes its partner
/// from another. All that follows anew when the own changes are made again, so it is never made again by itself:
/// where an own change is taken back or dropped, what followed from it is as others saved it.
struct SideEffects {
    /// Rows that were deleted along with others.
    private(set) var gone: Set<RowAddress> = []
    /// Attributes and to-one relationships that were written.
    private var changed: [RowAddress: PropertyMask] = [:]
    /// Pairs that were parted, by the table of their edges.
    private(set) var parted: [TableNumber: Set<EdgeEnds>] = [:]
    /// Rows that others had deleted, and that came back because an own change is about them: members return to
    /// them.
    private(set) var returned: Set<RowAddress> = []

    /// None.
    init() {}

    /// What is more in the changes that were made than in those that were to be made again.
    ///
    /// - Complexity: O(k) for k changes of both.
    init(of replay: Replay, in made: ChangeSet) {
        let own = replay.changes
        for table in made.tables.tableNumbers where !made.tables[table].isEmpty {
            func address(_ row: Row) -> RowAddress { RowAddress(table: table, row: row) }
            let new = Set(own.tables[table].inserted)
            let deleted = Set(own.tables[table].deleted)
            gone.formUnion(
                made.tables[table].deleted.lazy.filter { !deleted.contains($0) }.map(address))
            returned.formUnion(
                made.tables[table].inserted.lazy.filter {
                    new.contains($0) && replay.returns($0, in: table)
                }.map(address))
            let masks = Dictionary(
                own.tables[table].updated.lazy.map { ($0.row, $0.changes) },
                uniquingKeysWith: { $0.union($1) })
            let values = made.after.layout.tables[table].valueSlots
            for update in made.tables[table].updated where !new.contains(update.row) {
                let effects = made.effects(
                    in: update, among: values, of: own, masks[update.row] ?? [], table)
                if !effects.isEmpty { changed[address(update.row)] = effects }
            }
        }
        for table in made.after.layout.edgeTables {
            let removed = made.after.edges(differingFrom: made.before, in: table).removed
            guard !removed.isEmpty else { continue }
            let effects = Set(removed).subtracting(replay.pairs(in: table).parted)
            if !effects.isEmpty { parted[table] = effects }
        }
    }

    /// Whether nothing was changed.
    var isEmpty: Bool { gone.isEmpty && changed.isEmpty && parted.isEmpty }

    /// The attributes and to-one relationships of a row that were written.
    func properties(of row: Row, in table: TableNumber) -> PropertyMask {
        changed[RowAddress(table: table, row: row)] ?? []
    }

    /// Lets what is changed now be a change of its own.
    mutating func remove(_ changes: ChangeSet) {
        guard !isEmpty else { return }
        for table in changes.tables.tableNumbers where !changes.tables[table].isEmpty {
            for row in changes.tables[table].inserted + changes.tables[table].deleted {
                gone.remove(RowAddress(table: table, row: row))
            }
            for update in changes.tables[table].updated {
                let address = RowAddress(table: table, row: update.row)
                guard let mask = changed[address]?.subtracting(update.changes) else { continue }
                changed[address] = mask.isEmpty ? nil : mask
            }
        }
        for table in parted.keys {
            for edge in changes.after.edges(differingFrom: changes.before, in: table).added {
                parted[table]?.remove(changes.after.ends(of: edge, in: table))
            }
        }
        parted = parted.filter { !$0.value.isEmpty }
    }
}

extension ChangeSet {
    /// What of an update others' objects underwent by the own changes of a mask, or what became of those, among some
    /// slots.
    fileprivate func effects(
        in update: RowUpdate, among values: [Slot], of own: ChangeSet, _ mask: PropertyMask,
        _ table: TableNumber
    ) -> PropertyMask {
        let relationships = after.layout.tables[table].relationships
        var effects = update.changes.intersection(PropertyMask(slots: values)).subtracting(mask)
        // Of slots that share a member an own change would be dropped with what followed from it.
        for slot in values
        where slot < .firstShared && relationships[slot] != nil
            && mask.contains(PropertyMask(slot: slot))
            && update.changes.contains(PropertyMask(slot: slot))
            && after.reference(update.row, slot, in: table)
                != own.after.reference(update.row, slot, in: table)
        {
            effects.insert(PropertyMask(slot: slot))
        }
        return effects
    }

    /// These changes, but for what only followed from them.
    func without(_ effects: SideEffects) -> ChangeSet {
        guard !effects.isEmpty else { return self }
        var own = tables
        for table in own.tableNumbers where !own[table].isEmpty {
            own[table].deleted.removeAll {
                effects.gone.contains(RowAddress(table: table, row: $0))
            }
            for index in own[table].updated.indices {
                let row = own[table].updated[index].row
                own[table].updated[index].changes.subtract(effects.properties(of: row, in: table))
            }
            own[table].updated.removeAll { $0.changes.isEmpty }
        }
        return ChangeSet(before: before, after: after, tables: own)
    }

    /// What leads back from this change.
    var inverse: ChangeSet {
        ChangeSet(
            before: after, after: before,
            tables: tables.map {
                TableChanges(inserted: $0.deleted, deleted: $0.inserted, updated: $0.updated)
            })
    }
}
