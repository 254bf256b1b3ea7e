/// What a merge changed besides the own changes, since it followed from them on top of what others saved.
///
/// A delete takes along what others have led to its object since, and a row that comes back takes its partner
/// from another. All that follows anew when the own changes are made again, so it is never made again by itself:
/// where an own change is taken back or dropped, what followed from it is as others saved it.
///
/// - Invariant: No property that followed counts as written over, too.
struct SideEffects {
    /// Properties that own changes wrote over, and a graph that shows what had followed for them.
    private struct Overwritten {
        var properties: Set<Slot>
        let shown: Graph
    }

    /// Rows that were deleted along with others.
    private(set) var gone: Set<RowAddress> = []
    /// Attributes and to-one relationships that were written.
    private var changed: [RowAddress: Set<Slot>] = [:]
    /// Pairs that were parted, by the table of their edges.
    private(set) var parted: [TableNumber: Set<EdgeEnds>] = [:]
    /// Rows that others had deleted, and that came back because an own change is about them: members return to
    /// them.
    private(set) var returned: Set<RowAddress> = []
    /// Own writes that are not to be seen since rows were deleted along with others.
    var buried = BuriedWrites()
    /// What follows again as soon as what was written over it is taken back.
    private var overwritten: [RowAddress: [Overwritten]] = [:]

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
            let updates = Dictionary(
                own.tables[table].updated.lazy.map { ($0.row, $0) },
                uniquingKeysWith: { first, _ in first })
            let values = made.after.layout.tables[table].valueSlots
            for update in made.tables[table].updated where !new.contains(update.row) {
                let effects = values.filter {
                    made.hasChanged(update, $0, in: table)
                        && made.isEffect($0, of: replay, updates[update.row], update.row, table)
                }
                if !effects.isEmpty { changed[address(update.row)] = Set(effects) }
            }
        }
        for table in made.after.layout.edgeTables {
            let removed = made.after.edges(differingFrom: made.before, in: table).removed
            guard !removed.isEmpty else { continue }
            let effects = Set(removed).subtracting(replay.pairs(in: table).parted)
            if !effects.isEmpty { parted[table] = effects }
        }
        buried = BuriedWrites(of: replay, in: made, without: gone)
        for (row, slot) in buried.addLinks(of: replay, in: made, without: gone) {
            changed[row, default: []].insert(slot)
        }
        for (address, entries) in replay.effects.overwritten
        where made.after.contains(address.row, in: address.table) {
            let properties = properties(of: address.row, in: address.table)
                .union(own.written(of: address, byOthersIn: made.before))
            for var entry in entries where !properties.isSuperset(of: entry.properties) {
                entry.properties.subtract(properties)
                overwritten[address, default: []].append(entry)
            }
        }
    }

    /// Whether nothing was written over.
    var hasOverwritten: Bool { !overwritten.isEmpty }

    /// Whether nothing was changed.
    var isEmpty: Bool { gone.isEmpty && changed.isEmpty && parted.isEmpty && buried.isEmpty }

    /// The attributes and to-one relationships of a row that were written.
    func properties(of row: Row, in table: TableNumber) -> Set<Slot> {
        changed[RowAddress(table: table, row: row)] ?? []
    }

    /// A graph that shows an own write of a property which the graph with the own changes does not show; `nil` where
    /// there is none, or another was made on top of it.
    func buriedGraph(
        of slot: Slot, _ row: Row, in table: TableNumber, under shown: Graph
    ) -> Graph? {
        guard !buried.values.isEmpty,
            let graph = buried.values[RowAddress(table: table, row: row)]?.graph(showing: slot),
            !shown.contains(row, in: table)
                || properties(of: row, in: table).contains(slot)
        else { return nil }
        return graph
    }

    /// Lets what is changed now be a change of its own, unless it is as it had followed.
    ///
    /// - Returns: The properties of the latter kind of which no own write is kept.
    mutating func remove(_ changes: ChangeSet) -> [ChangeSet.Conflict] {
        guard !isEmpty || hasOverwritten else { return [] }
        var followed: [ChangeSet.Conflict] = []
        for table in changes.tables.tableNumbers where !changes.tables[table].isEmpty {
            for row in changes.tables[table].inserted + changes.tables[table].deleted {
                gone.remove(RowAddress(table: table, row: row))
            }
            // What is brought back has its values.
            buried.forget(
                changes.tables[table].inserted.map { RowAddress(table: table, row: $0) },
                in: changes.after.layout)
            for update in changes.tables[table].updated {
                let address = RowAddress(table: table, row: update.row)
                let back = returnProperties(of: address, by: update, in: changes)
                followed += back.filter { buried.values[address]?.graph(showing: $0) == nil }
                    .map { ChangeSet.Conflict(table: table, row: update.row, slot: $0) }
                let known = changed[address] ?? []
                let written = known.filter {
                    changes.hasChanged(update, $0, in: table) && !back.contains($0)
                }
                guard !written.isEmpty else { continue }
                changed[address] = written == known ? nil : known.subtracting(written)
                overwritten[address, default: []].append(
                    Overwritten(properties: written, shown: changes.before))
            }
        }
        for table in parted.keys {
            for edge in changes.after.edges(differingFrom: changes.before, in: table).added {
                parted[table]?.remove(changes.after.ends(of: edge, in: table))
            }
        }
        parted = parted.filter { !$0.value.isEmpty }
        return followed
    }

    /// Lets properties of an update follow again that are as they were before they were written over; returns them.
    private mutating func returnProperties(
        of address: RowAddress, by update: RowUpdate, in changes: ChangeSet
    ) -> [Slot] {
        guard let entries = overwritten[address] else { return [] }
        let (after, table, row) = (changes.after, address.table, address.row)
        var returned: Set<Slot> = []
        overwritten[address] = entries.compactMap { entry in
            guard entry.shown.contains(row, in: table),
                entry.shown.generation(row, in: table) == after.generation(row, in: table)
            else { return nil }
            let back = entry.properties.filter {
                changes.hasChanged(update, $0, in: table)
                    && !after.differs(from: entry.shown, row, $0, in: table)
            }
            returned.formUnion(back)
            let rest = entry.properties.subtracting(back)
            return rest.isEmpty ? nil : Overwritten(properties: rest, shown: entry.shown)
        }
        if overwritten[address]?.isEmpty == true { overwritten[address] = nil }
        guard !returned.isEmpty else { return [] }
        changed[address, default: []].formUnion(returned)
        return returned.sorted()
    }
}

extension ChangeSet {
    /// The attributes and to-one relationships of a row that others have written since these changes' beginning: what
    /// had followed for them follows no more.
    fileprivate func written(of address: RowAddress, byOthersIn saved: Graph) -> Set<Slot> {
        let (table, row) = (address.table, address.row)
        let slots = saved.layout.tables[table].valueSlots
        guard before.contains(row, in: table), saved.contains(row, in: table) else {
            // What neither has is nobody else's.
            return before.contains(row, in: table) || saved.contains(row, in: table)
                ? Set(slots) : []
        }
        return Set(slots.filter { saved.differs(from: before, row, $0, in: table) })
    }

    /// Whether others' object underwent the change of a property by the own changes, of which one may be of the row, or
    /// an own change of it became that.
    fileprivate func isEffect(
        _ slot: Slot, of replay: Replay, _ own: RowUpdate?, _ row: Row, _ table: TableNumber
    ) -> Bool {
        let changes = replay.changes
        let buried = replay.effects.buriedGraph(of: slot, row, in: table, under: changes.after)
        let isOwn = own.map { changes.hasChanged($0, slot, in: table) } ?? false
        guard let written = buried ?? (isOwn ? changes.after : nil) else { return true }
        return after.layout.tables[table].relationships[slot] != nil
            && after.reference(row, slot, in: table) != written.reference(row, slot, in: table)
    }

    /// These changes, but for what only followed from them.
    func without(_ effects: SideEffects) -> ChangeSet {
        guard !effects.isEmpty else { return self }
        var own = withoutProperties(of: effects).tables
        for table in own.tableNumbers where !own[table].isEmpty {
            own[table].deleted.removeAll {
                effects.gone.contains(RowAddress(table: table, row: $0))
            }
        }
        return ChangeSet(before: before, after: after, tables: own)
    }

    /// These changes, but for properties that only followed from them.
    private func withoutProperties(of effects: SideEffects) -> ChangeSet {
        var own = tables
        for table in own.tableNumbers where !own[table].isEmpty {
            for index in own[table].updated.indices {
                let update = own[table].updated[index]
                let followed = effects.properties(of: update.row, in: table)
                guard !followed.isEmpty else { continue }
                own[table].updated[index].changes.subtract(
                    PropertyMask(slots: followed.filter { !$0.isShared }))
                guard update.changes.contains(.shared), followed.contains(where: \.isShared) else {
                    continue
                }
                let rest = after.sharedSlots(of: update.row, in: table).filter {
                    hasChanged(update, $0, in: table) && !followed.contains($0)
                }
                own[table].beyondMask[update.row] = Set(rest)
                if rest.isEmpty { own[table].updated[index].changes.remove(.shared) }
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
                TableChanges(
                    inserted: $0.deleted, deleted: $0.inserted, relinked: $0.relinked,
                    updated: $0.updated)
            })
    }
}
