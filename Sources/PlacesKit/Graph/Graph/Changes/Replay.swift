/// The slots of the parts of each attribute that an object has wholly or not at all, by table.
typealias IndivisibleParts = [TableNumber: Set<[Slot]>]

/// Changes that are to be made again on another graph, and what of them is left out.
struct Replay: Replayable {
    /// The changes; rows among the inserted ones get all their values, and may exist already.
    var changes: ChangeSet
    /// Properties that stay as the other graph has them.
    private(set) var kept: Set<ChangeSet.Conflict> = []
    /// Rows that were deleted by the changes, and stay.
    private(set) var spared: Set<ChangeSet.Conflict> = []
    /// Rows that came by the changes, and are left as the other graph has them.
    private var withdrawn: Set<ChangeSet.Conflict> = []
    /// Members of ordered relationships that stay where the other graph has them.
    private var unmoved: Set<ChangeSet.Conflict> = []
    /// Members of ordered relationships that others moved as well, and that go where the changes have them.
    private var moved: Set<ChangeSet.Conflict> = []
    /// Parts of composite attributes that others wrote as well, where properties are settled one by one.
    private var contestedParts: Set<ChangeSet.Conflict> = []
    /// The parts of attributes that an object has wholly or not at all.
    private var wholes = IndivisibleParts()
    /// Whether the contested parts stay as the other graph has them.
    private var keepsOthers = false
    /// Parts that are made again though the changes do not write them, for the others are.
    private(set) var completed: Set<ChangeSet.Conflict> = []
    /// Rows that another graph had lost, and that come back: their links are not all among the changes.
    private(set) var revived: [(table: TableNumber, row: Row)] = []
    /// What followed from the changes when they were last made again, and follows anew.
    let effects: SideEffects
    /// Whether rows that go read as they last were in the other graph, not as they last were by the changes.
    let keepsLastValues: Bool

    /// All of some changes, but for what only followed from them.
    init(
        _ changes: ChangeSet, without effects: SideEffects = SideEffects(),
        keepingLastValues keepsLastValues: Bool = false
    ) {
        self.changes = changes.without(effects)
        self.effects = effects
        self.keepsLastValues = keepsLastValues
    }

    /// Some changes on a graph that others changed meanwhile, where a policy settles the conflicts; if one side took one of
    /// `wholes` away, not part by part.
    ///
    /// - Complexity: O(k) for k changed rows, O(1) without conflicts.
    init(
        _ changes: ChangeSet, without effects: SideEffects = SideEffects(),
        settling conflicts: some Collection<ChangeSet.Conflict>, by policy: MergePolicy,
        keepingWhole wholes: IndivisibleParts
    ) {
        self.init(changes.withUnseenWrites(of: conflicts), without: effects)
        guard !conflicts.isEmpty else { return }
        self.wholes = wholes
        keepsOthers = policy == .mergeByPropertyStoreTrump
        var whole: Set<ChangeSet.Conflict> = []
        var dropped: Set<ChangeSet.Conflict> = []
        for conflict in conflicts {
            // What is new, or came back after others had deleted it, has no property that they wrote.
            if conflict.slot != nil, !changes.before.contains(conflict.row, in: conflict.table) {
                continue
            }
            let row = ChangeSet.Conflict(table: conflict.table, row: conflict.row, slot: nil)
            switch (policy, conflict.kind) {
            case (_, .read): break
            case (.rollback, .moved), (.mergeByPropertyStoreTrump, .moved):
                unmoved.insert(conflict)
            case (_, .moved): moved.insert(conflict)
            case (.rollback, _): dropped.insert(row)
            case (.overwrite, _): whole.insert(row)
            case (_, .besides): break
            case (.mergeByPropertyStoreTrump, .written):
                if let slot = conflict.slot {
                    keep(slot, of: conflict.row, in: conflict.table)
                    contestedParts.insert(conflict)
                } else {
                    dropped.insert(row)
                }
            case (.error, .written), (.mergeByPropertyObjectTrump, .written):
                if conflict.slot == nil {
                    whole.insert(row)
                } else {
                    contestedParts.insert(conflict)
                }
            }
        }
        for table in changes.tables.tableNumbers { settle(table, whole: whole, dropped: dropped) }
    }

    /// Leaves as the other graph has it what an undo took back.
    mutating func leaveOut(_ taken: TakenBack) {
        for table in changes.tables.tableNumbers where !taken.rows.isEmpty {
            changes.tables[table].inserted.removeAll {
                taken.rows.contains(RowAddress(table: table, row: $0))
            }
        }
        for property in taken.properties {
            if let slot = property.slot { keep(slot, of: property.row, in: property.table) }
        }
    }

    /// Whether a row among the inserted ones is one that others deleted, not a new one.
    func returns(_ row: Row, in table: TableNumber) -> Bool {
        changes.before.contains(row, in: table)
            || effects.returned.contains(RowAddress(table: table, row: row))
    }

    /// The same changes, to be made by a transaction.
    func located(in transaction: Transaction) -> Replay {
        var replay = self
        for part in contestedParts { replay.settleWhole(part, in: transaction) }
        for table in changes.tables.tableNumbers {
            replay.revived += changes.tables[table].inserted.lazy.filter {
                returns($0, in: table) && !transaction.contains($0, in: table)
            }.map { (table, $0) }
        }
        return replay
    }

    /// Settles an indivisible attribute as a whole that one side wrote in part, and the other took away: half of it is none.
    private mutating func settleWhole(_ part: ChangeSet.Conflict, in transaction: Transaction) {
        let (table, row, after) = (part.table, part.row, changes.after)
        guard let slot = part.slot, transaction.contains(row, in: table),
            after.contains(row, in: table),
            let parts = wholes[table]?.first(where: { $0.contains(slot) })
        else { return }
        let own = parts.filter { after.tables[table].columns[$0].isValid(at: row) }
        let others = parts.filter {
            transaction.block(row, $0, in: table).isValid(at: row.offset)
        }
        guard own.isEmpty != others.isEmpty else { return }
        for slot in own + others {
            if keepsOthers {
                keep(slot, of: row, in: table)
            } else {
                completed.insert(ChangeSet.Conflict(table: table, row: row, slot: slot))
            }
        }
    }

    /// Whether a property stays as the other graph has it.
    func keeps(_ slot: Slot, of row: Row, in table: TableNumber) -> Bool {
        kept.contains(ChangeSet.Conflict(table: table, row: row, slot: slot))
    }

    /// Whether a row stays that the changes deleted.
    func spares(_ row: Row, in table: TableNumber) -> Bool {
        spared.contains(ChangeSet.Conflict(table: table, row: row, slot: nil))
            || effects.gone.contains(RowAddress(table: table, row: row))
    }

    /// Whether a row is left as the other graph has it that came by the changes.
    func withdraws(_ row: Row, in table: TableNumber) -> Bool {
        withdrawn.contains(ChangeSet.Conflict(table: table, row: row, slot: nil))
    }

    /// Whether a member of a one-to-many relationship stays as the other graph has it, and so does its place.
    func keepsMember(_ member: Row, of list: ListLayout) -> Bool {
        keeps(list.owner, of: member, in: list.members) || withdraws(member, in: list.members)
    }

    /// The members of a one-to-many relationship that stay as the other graph has them.
    func keptMembers(of list: ListLayout) -> [Row] {
        kept.filter { $0.table == list.members && $0.slot == list.owner }.map(\.row)
            + withdrawn.filter { $0.table == list.members }.map(\.row)
    }

    /// The members of an ordered relationship that others moved as well, with their owners.
    func contestedMembers(
        of slot: Slot, in table: TableNumber
    ) -> [(owner: Row, member: Row)] {
        moved.union(unmoved).compactMap { conflict in
            guard conflict.table == table, conflict.slot == slot,
                case .moved(let member) = conflict.kind
            else { return nil }
            return (conflict.row, member)
        }
    }

    /// Whether a member stays where the other graph has it.
    func keepsPosition(of member: Row, in row: Row, _ slot: Slot, _ table: TableNumber) -> Bool {
        unmoved.contains(
            ChangeSet.Conflict(table: table, row: row, slot: slot, kind: .moved(member: member)))
    }

    /// Takes out of a table's changes what is not made again, and completes what is made as a whole.
    private mutating func settle(
        _ table: TableNumber, whole: Set<ChangeSet.Conflict>, dropped: Set<ChangeSet.Conflict>
    ) {
        func object(_ row: Row) -> ChangeSet.Conflict {
            ChangeSet.Conflict(table: table, row: row, slot: nil)
        }
        let entity = changes.tables[table]
        spared.formUnion(entity.deleted.lazy.map(object).filter(dropped.contains))
        withdrawn.formUnion(entity.inserted.lazy.map(object).filter(dropped.contains))
        changes.tables[table].deleted.removeAll { dropped.contains(object($0)) }
        changes.tables[table].inserted.removeAll { dropped.contains(object($0)) }
        // A row that others deleted comes back whole, also if only something else was led to it.
        if !whole.isEmpty {
            let new = Set(entity.inserted)
            let returning = whole.filter { $0.table == table && !new.contains($0.row) }.map(\.row)
            let after = changes.after
            changes.tables[table].inserted += returning.sorted().filter {
                after.contains($0, in: table)
            }
        }
        for row in entity.inserted where dropped.contains(object(row)) {
            keepPartners(of: row, in: table)
        }
        for update in entity.updated {
            if dropped.contains(object(update.row)) {
                for slot in changes.after.layout.tables[table].valueSlots
                where changes.hasChanged(update, slot, in: table) {
                    keep(slot, of: update.row, in: table)
                }
            }
        }
        for (address, writes) in effects.buried.values
        where address.table == table && dropped.contains(object(address.row)) {
            for slot in writes.slots {
                kept.insert(ChangeSet.Conflict(table: table, row: address.row, slot: slot))
            }
        }
        changes.tables[table].updated.removeAll { whole.contains(object($0.row)) }
    }

    /// Leaves the one-to-one partners of a row that does not come back as the other graph has them.
    private mutating func keepPartners(of row: Row, in table: TableNumber) {
        let relationships = changes.after.layout.tables[table].relationships
        for (slot, relationship) in zip(relationships.slots, relationships) {
            guard case .oneToOne = relationship,
                !changes.after.reference(row, slot, in: table).isNone
            else { continue }
            keep(slot, of: row, in: table)
        }
    }

    /// Leaves a property as the other graph has it, and what the change of it did at the other ends of
    /// a one-to-one relationship: partners stay together.
    private mutating func keep(_ slot: Slot, of row: Row, in table: TableNumber) {
        var pending = [ChangeSet.Conflict(table: table, row: row, slot: slot)]
        let (before, after) = (changes.before, changes.after)
        while let property = pending.popLast() {
            guard kept.insert(property).inserted, let slot = property.slot,
                case .oneToOne(let other) =
                    after.layout.tables[property.table].relationships[slot]
            else { continue }
            let partner = after.reference(property.row, slot, in: property.table)
            let former = before.reference(property.row, slot, in: property.table)
            for end in [partner, former]
            where !end.isNone
                && (end == partner || after.reference(end, other.column, in: other.table).isNone)
            {
                pending.append(
                    ChangeSet.Conflict(table: other.table, row: end, slot: other.column))
            }
        }
    }
}
