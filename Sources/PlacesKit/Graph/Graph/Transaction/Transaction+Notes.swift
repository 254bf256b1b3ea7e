// What is noted of changes, and taken as a change set.

extension Transaction {
    /// Notes that a property of a row changed.
    @inline(__always)
    func note(_ slot: Slot, _ row: Row, in table: TableNumber) {
        if slot.isShared, !contains(row, in: table) {
            noteGone(row, in: table)
        } else {
            access[table].note(PropertyMask(slot: slot), row)
        }
        if recorder.isWatched { noteWatched(PropertyMask(slot: slot), slot, row, in: table) }
    }

    /// Notes that a property changed of a row that is gone, whose slot shares its member of masks.
    ///
    /// With that member the accessors' shortcut would let the attributes be written that share it. So the row is noted as
    /// one that came and went, of which nothing is told but links that a rule has kept; if it went in this batch, it is
    /// noted as that already.
    @inline(never)
    private func noteGone(_ row: Row, in table: TableNumber) {
        let isNoted = access[table].changes(of: row).contains(.deleted)
        access[table].note(isNoted ? .deleted : [.inserted, .deleted], row)
    }

    /// Notes that a row came or went.
    @inline(__always)
    func note(_ mask: PropertyMask, _ row: Row, in table: TableNumber) {
        access[table].note(mask, row)
        if recorder.isWatched { noteWatched(mask, nil, row, in: table) }
    }

    /// Whether anything was noted since the last call of `takeChanges`, even if it came to nothing.
    var hasNotes: Bool { entityTables.contains { access[$0].notedCount > 0 } }

    /// What is another one as soon as anything was written after it was asked for.
    ///
    /// The graph is frozen for that, unless nothing was written since: the accessors' shortcut notes nothing, but leaves the
    /// chunks of a frozen graph to the transaction.
    func mark() -> ChangeMark {
        func present() -> ChangeMark {
            ChangeMark(
                token: currentToken,
                notes: entityTables.reduce(0) { $0 &+ access[$1].noteCount })
        }
        if present() != latestMark {
            _ = freeze()
            latestMark = present()
        }
        return latestMark
    }

    /// Whether a row that was noted since the last call of `takeChanges` is not as it was in `before`.
    ///
    /// - Complexity: O(k) for k noted rows whose changes came to nothing.
    func hasChanges(since before: Graph) -> Bool {
        entityTables.contains { table in
            access[table].notedRows.contains { row in
                let mask = access[table].changes(of: row)
                return graph.isChanged(row, among: mask, since: before, in: table)
            }
        }
    }

    /// All changes since the last call, without those that came to nothing.
    ///
    /// - Complexity: O(k) for k changed rows.
    func takeChanges() -> ChangeSet {
        let changes = netChanges()
        for table in entityTables where access[table].notedCount > 0 { access[table].clearNotes() }
        recorder.restart(with: changes.after)
        return changes
    }

    /// The changes that the next call of `takeChanges` would take; `nil` where nothing is noted.
    ///
    /// - Complexity: O(k) for k changed rows.
    var notedChanges: ChangeSet? { hasNotes ? netChanges() : nil }

    private func netChanges() -> ChangeSet {
        let after = freeze()
        var tables = Array(repeating: TableChanges(), count: entityTables.count)
        for table in entityTables where access[table].notedCount > 0 {
            tables[table] = netChanges(in: table, to: after)
        }
        return ChangeSet(before: base, after: after, tables: tables)
    }

    /// What is left of the changes that are noted in a table, without those that came to nothing.
    private func netChanges(in table: TableNumber, to after: Graph) -> TableChanges {
        // Looked at once: the property would be copied for each row.
        let before = base
        var net = TableChanges()
        for row in access[table].notedRows {
            let mask = access[table].changes(of: row)
            switch (mask.contains(.inserted), mask.contains(.deleted)) {
            case (true, true):
                if after.relinks(row, since: before, in: table) { net.relinked.append(row) }
            case (true, false): net.inserted.append(row)
            case (false, true): net.deleted.append(row)
            case (false, false):
                // A row that went in an earlier batch is noted when a link goes that a rule had kept.
                guard after.contains(row, in: table) else {
                    if after.relinks(row, since: before, in: table) { net.relinked.append(row) }
                    break
                }
                let changes = after.changes(from: before, row, among: mask, in: table)
                if !changes.isEmpty {
                    net.updated.append(RowUpdate(row: row, changes: changes))
                }
            }
        }
        return net
    }
}

/// The state of a transaction's graph: no other graph has it, nor does this one when anything was written.
struct ChangeMark: Equatable {
    /// The token under which what comes next is written.
    var token: UInt64
    /// How often a change was noted, ever.
    var notes: Int
}
