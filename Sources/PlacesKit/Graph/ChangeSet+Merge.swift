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
            let slots = after.schema.entities[table].properties.indices.filter { slot in
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
                    for slot in after.schema.entities[table].properties.indices
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
            for row in changes.tables[table].inserted { insert(row, into: table) }
        }
        for table in changes.tables.indices {
            let slots = graph.schema.entities[table].properties.indices
            for row in changes.tables[table].inserted {
                for slot in slots { copy(row, slot, from: changes, in: table) }
            }
            for update in changes.tables[table].updated {
                for slot in slots where changes.hasChanged(update, slot, in: table) {
                    copy(update.row, slot, from: changes, in: table)
                }
            }
        }
        for table in changes.tables.indices {
            for row in changes.tables[table].deleted { delete(row, from: table) }
        }
    }

    private func copy(_ row: Int32, _ slot: Int, from changes: ChangeSet, in table: Int) {
        switch graph.layout.tables[table].relationships[slot] {
        case nil: write(changes.after.datum(row, slot, in: table), row, slot, in: table)
        case .toOne, .oneToOne:
            let target = changes.after.reference(row, slot, in: table)
            let destination = graph.destination(of: slot, in: table)
            setToOne(
                row, slot, in: table,
                to: contains(target, in: destination) ? target : noRow)
        case .toMany: break  // The members' own side says it all.
        case .manyToMany:
            let before = Set(changes.before.related(row, slot, in: table))
            let after = Set(changes.after.related(row, slot, in: table))
            for member in changes.after.related(row, slot, in: table)
            where !before.contains(member)
                && contains(member, in: graph.destination(of: slot, in: table))
            {
                addMember(member, to: row, slot, in: table)
            }
            for member in before.subtracting(after) {
                removeMember(member, from: row, slot, in: table)
            }
        }
    }
}
