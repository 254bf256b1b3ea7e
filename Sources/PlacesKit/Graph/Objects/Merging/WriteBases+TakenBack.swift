extension WriteBases {
    /// Ends the conflicts of pending writes that an undo has taken back.
    ///
    /// Such a property is now as it was when this context began to write it, and was not before the undo. Of a
    /// deleted object that comes back, the properties stay in conflict that both wrote.
    ///
    /// - Parameters:
    ///   - undo: What the undo changed.
    ///   - group: What it took back.
    ///   - base: What is saved.
    /// - Returns: Where what others saved is to be shown; `nil` if no conflict ended.
    mutating func endConflicts(
        takenBackBy undo: ChangeSet, of group: UndoGroup, over base: SavedGraph
    ) -> TakenBack? {
        guard !conflicts.isEmpty else { return nil }
        let saved = base.graph
        endConflicts(ofMembers: group.membersSaved(over: base), in: saved)
        let ending = EndingConflicts(
            conflicts: conflicts, undo: undo, group: group.properties, graph: undo.after,
            saved: saved)
        var taken: TakenBack?
        var lost: Set<RowAddress> = []
        for (key, conflict) in ending.touched {
            let written = ending.written(key, conflict)
            let isThere = saved.contains(key.row, in: key.table)
            let isLed =
                !isThere
                && undo.after.isLinked(to: key.row, in: key.table, unlikeIn: conflict.base)
            guard !isLed,
                written.isEmpty || isThere && key.slot == nil && key.kind == .written
            else { continue }
            conflicts[key] = nil
            taken = taken ?? TakenBack()
            if !isThere {
                lost.insert(RowAddress(table: key.table, row: key.row))
            } else if key.slot != nil {
                taken?.properties.insert(key)
            } else if key.kind == .written {
                addConflicts(of: written, key, conflict)
                taken?.properties.formUnion(ending.properties(of: key, except: written))
            }
        }
        // Another property of such a row may still be in conflict.
        taken?.rows = lost.subtracting(contestedRows)
        return taken
    }

    /// The rows about which others wrote what the context wrote, too.
    var contestedRows: Set<RowAddress> {
        Set(
            conflicts.keys.lazy.filter(\.isOfWrites).map {
                RowAddress(table: $0.table, row: $0.row)
            })
    }

    /// Ends the conflicts of members that an undo brought where others have saved them.
    private mutating func endConflicts(ofMembers members: Set<UndoGroup.Member>, in saved: Graph) {
        guard !members.isEmpty else { return }
        conflicts = conflicts.filter { key, _ in
            guard case .moved(let member) = key.kind, let slot = key.slot else { return true }
            let destination = saved.layout.destination(of: slot, in: key.table)
            return !members.contains(
                UndoGroup.Member(
                    list: UndoGroup.Property(
                        object: saved.number(of: key.row, in: key.table), table: key.table,
                        slot: slot), object: saved.number(of: member, in: destination)))
        }
    }

    /// Adds the conflicts of the properties that were written of an object whose delete was taken back.
    private mutating func addConflicts(
        of slots: [Slot], _ key: ChangeSet.Conflict, _ conflict: Conflict
    ) {
        let both = slots.filter(conflict.written.contains)
        let isBesides = both.isEmpty && !slots.isEmpty && !conflict.written.isEmpty
        let keys =
            both.map { ChangeSet.Conflict(table: key.table, row: key.row, slot: $0) }
            + (isBesides
                ? [ChangeSet.Conflict(table: key.table, row: key.row, slot: nil, kind: .besides)]
                : [])
        for key in keys { conflicts[key] = conflicts[key] ?? conflict }
    }
}

/// Tells which conflicts an undo ends.
private struct EndingConflicts {
    let conflicts: WriteBases.Conflicts
    let undo: ChangeSet
    /// What the undo was about, whether it changed that or not: what a property led to may be gone.
    let group: Set<UndoGroup.Property>
    let graph: Graph
    let saved: Graph

    /// The conflicts about what the undo took back, of rows that are there.
    ///
    /// What was read stays so.
    var touched: WriteBases.Conflicts {
        var parted: Set<RowAddress> = []
        undo.inverse.forEachNewLink { parted.insert(RowAddress(table: $1, row: $0)) }
        return conflicts.filter { key, conflict in
            let (table, row) = (key.table, key.row)
            guard key.isOfWrites, graph.contains(row, in: table),
                conflict.base.contains(row, in: table)
            else { return false }
            return !undo.before.contains(row, in: table)
                || slots(of: key).contains {
                    graph.differs(from: undo.before, row, $0, in: table)
                        || group.contains(
                            UndoGroup.Property(
                                object: graph.number(of: row, in: table), table: table, slot: $0))
                }
                || key.slot == nil && !saved.contains(row, in: table)
                    && parted.contains(RowAddress(table: table, row: row))
        }
    }

    /// The properties that a conflict is about and that are written here.
    func written(_ key: ChangeSet.Conflict, _ conflict: WriteBases.Conflict) -> [Slot] {
        slots(of: key).filter { slot in
            let (row, table, base) = (key.row, key.table, conflict.base)
            // What is in conflict by itself is based on what it was then.
            let own = conflicts[ChangeSet.Conflict(table: table, row: row, slot: slot)]
            guard key.kind == .besides, own == nil else {
                return graph.isWritten(row, slot, in: table, since: own?.base ?? base, over: saved)
            }
            guard graph.differs(from: base, row, slot, in: table) else { return false }
            // Of what they have deleted since, it shows what the others wrote.
            return saved.contains(row, in: table)
                ? graph.differs(from: saved, row, slot, in: table)
                : !conflict.written.contains(slot)
        }
    }

    /// The properties of a conflict's object that are not as they are saved, but for some.
    func properties(of key: ChangeSet.Conflict, except written: [Slot]) -> [ChangeSet.Conflict] {
        slots(of: key).filter {
            !written.contains($0) && graph.differs(from: saved, key.row, $0, in: key.table)
        }.map { ChangeSet.Conflict(table: key.table, row: key.row, slot: $0) }
    }

    private func slots(of key: ChangeSet.Conflict) -> [Slot] {
        key.slot.map { [$0] } ?? graph.layout.tables[key.table].valueSlots
    }
}

extension ChangeSet.Conflict {
    /// Whether it is about what both wrote of a row.
    fileprivate var isOfWrites: Bool { kind == .written || kind == .besides }
}

extension Graph {
    /// Whether a property differs from an earlier graph, other than by the loss of what it led to.
    fileprivate func isWritten(
        _ row: Row, _ slot: Slot, in table: TableNumber, since base: Graph, over saved: Graph
    ) -> Bool {
        guard differs(from: base, row, slot, in: table) else { return false }
        let layout = layout.tables[table]
        guard layout.relationships[slot] != nil, reference(row, slot, in: table).isNone else {
            return true
        }
        return saved.contains(
            base.reference(row, slot, in: table), in: self.layout.destination(of: slot, in: table))
    }
}
