extension ChangeSet {
    /// A property that this change and another graph changed differently; `slot` is `nil` where one
    /// deleted the row that the other changed.
    struct Conflict: Equatable {
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
            let slots = after.layout.tables[table].properties.indices.filter { slot in
                switch after.layout.tables[table].relationships[slot] {
                case .toMany, .manyToMany: false
                case .toOne, .oneToOne, nil: true
                }
            }
            for update in tables[table].updated {
                guard other.contains(update.row, in: table) else {
                    conflicts.append(Conflict(table: table, row: update.row, slot: nil))
                    continue
                }
                for slot in slots
                where hasChanged(update, slot, in: table)
                    && other.differs(from: before, update.row, slot, in: table)
                    && other.differs(from: after, update.row, slot, in: table)
                {
                    conflicts.append(Conflict(table: table, row: update.row, slot: slot))
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
    fileprivate func hasChanged(_ update: RowUpdate, _ slot: Int, in table: Int) -> Bool {
        update.changes.contains(PropertyMask(slot: slot))
            && (slot < 61 || after.differs(from: before, update.row, slot, in: table))
    }

    /// The difference of two graphs of one layout.
    ///
    /// Chunks that both graphs share are skipped, so the cost follows what differs.
    init(from before: Graph, to after: Graph) {
        self.init(before: before, after: after, tables: [])
        for table in 0..<after.layout.entityCount {
            tables.append(TableChanges(from: before, to: after, in: table))
        }
    }
}

extension TableChanges {
    fileprivate init(from before: Graph, to after: Graph, in table: Int) {
        let (old, new) = (before.tables[table], after.tables[table])
        for chunk in 0..<max(old.chunkCount, new.chunkCount)
        where new.columns.indices.contains(where: {
            old.columns[$0].block(chunk) != new.columns[$0].block(chunk)
        }) {
            let first = Int32(chunk << ChunkLayout.shift)
            for row in first..<first + Int32(ChunkLayout.rows) {
                switch (before.contains(row, in: table), after.contains(row, in: table)) {
                case (false, false): break
                case (false, true): inserted.append(row)
                case (true, false): deleted.append(row)
                case (true, true):
                    var changes: PropertyMask = []
                    for slot in after.layout.tables[table].properties.indices
                    where after.differs(from: before, row, slot, in: table) {
                        changes.formUnion(PropertyMask(slot: slot))
                    }
                    if !changes.isEmpty { updated.append(RowUpdate(row: row, changes: changes)) }
                }
            }
        }
    }
}

extension Transaction {
    /// Makes changes again that were made on another graph and do not conflict with this one.
    func apply(_ changes: ChangeSet) {
        for table in changes.tables.indices {
            for row in changes.tables[table].inserted {
                insert(row, into: table, kind: changes.after.kind(row, in: table))
            }
        }
        for table in changes.tables.indices {
            for slot in graph.layout.tables[table].properties.indices {
                let updated = changes.tables[table].updated.filter {
                    changes.hasChanged($0, slot, in: table)
                }
                let rows = changes.tables[table].inserted + updated.map(\.row)
                copy(slot, of: rows, from: changes, in: table)
            }
        }
        for table in changes.tables.indices {
            for row in changes.tables[table].deleted { delete(row, from: table) }
        }
    }

    private func copy(
        _ slot: Int, of rows: ContiguousArray<Int32>, from changes: ChangeSet, in table: Int
    ) {
        switch access[table].traits[slot].relationship {
        case nil:
            for row in rows {
                write(changes.after.datum(row, slot, in: table), row, slot, in: table)
            }
        case .oneToOne(let other):
            for row in rows {
                let target = changes.after.reference(row, slot, in: table)
                setToOne(
                    row, slot, in: table, to: contains(target, in: other.table) ? target : noRow)
            }
        case .toOne(let list): moveMembers(rows, slot, list, from: changes)
        case .toMany: break  // The members' own side says it all.
        case .manyToMany(_, let other):
            for row in rows { copyEdges(of: row, slot, to: other.owners, from: changes, in: table) }
        }
    }

    /// Leads members to their new owners, those of one owner in the order in which they were added.
    private func moveMembers(
        _ rows: ContiguousArray<Int32>, _ slot: Int, _ list: ListLayout, from changes: ChangeSet
    ) {
        let groups = Dictionary(grouping: rows) {
            changes.after.reference($0, slot, in: list.members)
        }
        for (owner, members) in groups.sorted(by: { $0.key < $1.key }) {
            let target = contains(owner, in: list.owners) ? owner : noRow
            for member in changes.after.ordered(members, of: owner, list) {
                setToOne(member, slot, in: list.members, to: target)
            }
        }
    }

    private func copyEdges(
        of row: Int32, _ slot: Int, to destination: Int, from changes: ChangeSet, in table: Int
    ) {
        let before = Set(changes.before.related(row, slot, in: table))
        let after = Set(changes.after.related(row, slot, in: table))
        for member in changes.after.related(row, slot, in: table)
        where !before.contains(member) && contains(member, in: destination) {
            addMember(member, to: row, slot, in: table)
        }
        for member in before.subtracting(after) {
            removeMember(member, from: row, slot, in: table)
        }
    }
}

extension Graph {
    /// Some members of an owner's list in its order.
    ///
    /// The walk starts at the end, where members that were added of late are.
    fileprivate func ordered(_ members: [Int32], of owner: Int32, _ list: ListLayout) -> [Int32] {
        guard owner >= 0, members.count > 1 else { return members }
        var remaining = Set(members)
        var ordered: [Int32] = []
        var link = reference(owner, list.tail, in: list.owners)
        while link >= 0, !remaining.isEmpty {
            if remaining.remove(link) != nil { ordered.append(link) }
            link = reference(link, list.previous, in: list.members)
        }
        return ordered.reversed()
    }
}
