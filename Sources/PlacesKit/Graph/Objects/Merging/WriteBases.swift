/// What the unsaved writes of a context are based on where others wrote the same, and what else must not
/// have been written when it saves.
///
/// A pending write is based on the state that the context showed when it was made. What others wrote
/// since stays a conflict through merges, also where the values happen to be the same.
///
/// - Invariant: A property that both wrote is an own write until its conflict ends, also where the own value is the
///   saved one and no difference shows it.
/// - Invariant: Each conflict is about a row of one of the tables.
/// - Invariant: A row that a conflict only read is one that the context relies on.
/// - Invariant: Where the conflicts are known by their rows, these are all of them.
struct WriteBases {
    /// What others wrote of what the context has pending writes of.
    struct Conflict {
        /// The graph that both started from.
        var base: Graph
        /// What the others wrote of the object.
        var written: Set<Slot>
    }

    typealias Conflicts = [ChangeSet.Conflict: Conflict]

    /// Conflicts with what others saved, for the next save to settle.
    var conflicts: Conflicts {
        get { kept }
        _modify {
            keysByRow = nil
            yield &kept
        }
    }
    private var kept: Conflicts = [:]
    /// The conflicts by their rows, since somebody has settled those of one: many others may follow.
    private var keysByRow: [RowAddress: [ChangeSet.Conflict]]?
    /// What followed from the pending changes on top of what others saved, and is none of them.
    var effects = SideEffects()
    /// The rows of each table that others must not have deleted, and the properties of them that they must not have changed.
    private var reliedOn: [[Row: PropertySet]]

    /// Those of a context without changes, in so many tables.
    init(tables: Int) { reliedOn = Array(repeating: [:], count: tables) }

    /// Whether it makes no difference what others wrote.
    var isEmpty: Bool { conflicts.isEmpty && reliedOn.allSatisfy(\.isEmpty) }

    /// Lets a row be one that others must not delete or write; where only some properties of it matter, they must not leave
    /// other values of these.
    mutating func rely(
        on row: Row, in table: TableNumber, for properties: PropertySet = .all
    ) {
        reliedOn[table][row, default: PropertySet()].formUnion(properties)
    }

    /// Ends the conflicts of a row.
    ///
    /// - Complexity: O(1) on average; O(n) for n conflicts, if others than by this call came or went before.
    mutating func settle(_ row: Row, in table: TableNumber) {
        guard !kept.isEmpty else { return }
        if keysByRow == nil {
            keysByRow = Dictionary(grouping: kept.keys) {
                RowAddress(table: $0.table, row: $0.row)
            }
        }
        let keys = keysByRow?.removeValue(forKey: RowAddress(table: table, row: row)) ?? []
        for key in keys { kept[key] = nil }
    }

    /// Notes what followed from the pending changes.
    ///
    /// Where that is instead of an own write that is not kept, nothing of the write is left that could be in conflict.
    mutating func follow(_ effects: SideEffects) {
        self.effects = effects
        guard !effects.isEmpty else { return }
        conflicts = conflicts.filter { key, _ in
            guard let slot = key.slot, key.kind == .written else { return true }
            return !effects.properties(of: key.row, in: key.table).contains(slot)
                || effects.buried.values[RowAddress(table: key.table, row: key.row)]?
                    .graph(showing: slot) != nil
        }
    }

    /// Takes back own writes that are not to be seen where an undo does, and ends the conflicts of those of which nothing
    /// is left.
    mutating func takeBackBuried(
        by delta: Delta, in graph: Graph, over saved: Graph, rows: RowAllocator
    ) {
        let conflicts = conflicts
        let taken = effects.buried.takeBack(delta, in: graph, over: saved, rows: rows) {
            conflicts[$0]?.base ?? saved
        }
        for ended in taken {
            if ended.kind == .besides, isWritten(ended.row, ended.table, graph, since: saved) {
                continue
            }
            self.conflicts[ended] = nil
        }
    }

    /// Whether a row that is there has own writes besides what followed.
    private func isWritten(
        _ row: Row, _ table: TableNumber, _ graph: Graph, since saved: Graph
    ) -> Bool {
        graph.contains(row, in: table) && saved.contains(row, in: table)
            && graph.layout.tables[table].valueSlots.contains {
                graph.differs(from: saved, row, $0, in: table)
                    && !effects.properties(of: row, in: table).contains($0)
            }
    }

    /// Ends all conflicts, and what is relied on: all is saved, or dropped.
    mutating func settleAll() {
        conflicts = [:]
        effects = SideEffects()
        for table in reliedOn.tableNumbers where !reliedOn[table].isEmpty { reliedOn[table] = [:] }
    }

    /// The rows of each table whose writes by others would be conflicts of some changes.
    func rows(concerning changes: ChangeSet) -> [Set<Row>] {
        var rows = zip(changes.writtenRows, reliedOn).map { $0.union($1.keys) }
        for address in effects.buried.values.keys { rows[address.table].insert(address.row) }
        return rows
    }

    /// The conflicts of some changes with what others wrote: new ones, and those that were met before.
    func conflicts(of changes: ChangeSet, with others: ForeignWrites) -> Conflicts {
        var conflicts = conflicts
        let met = changes.conflicts(with: others, returned: returned)
            .union(effects.buried.conflicts(with: others, without: changes.after))
        for key in met.union(disproved(by: others)) {
            let written = others.slots(of: key.row, in: key.table)
            conflicts[key, default: Conflict(base: changes.before, written: [])]
                .written.formUnion(written)
        }
        return conflicts
    }

    /// The rows that others had deleted and that came back, each with a graph that has it as both started from it.
    private var returned: [RowAddress: Graph] {
        effects.returned.reduce(into: [:]) { returned, address in
            let key = ChangeSet.Conflict(table: address.table, row: address.row, slot: nil)
            guard let base = conflicts[key]?.base, base.contains(address.row, in: address.table)
            else { return }
            returned[address] = base
        }
    }

    /// Those conflicts that a save has to settle.
    ///
    /// What is gone here, also if it had come back since, and is gone in what is saved, both have deleted. An undo may
    /// bring it back, and then its conflict counts.
    func unsettled(
        of conflicts: Conflicts, between own: Graph, and head: Graph
    ) -> Conflicts {
        conflicts.filter { key, _ in
            key.kind == .read || own.contains(key.row, in: key.table)
                || head.contains(key.row, in: key.table)
                || effects.buried.values[RowAddress(table: key.table, row: key.row)] != nil
        }
    }

    /// What others changed of the objects that are relied on.
    private func disproved(by others: ForeignWrites) -> [ChangeSet.Conflict] {
        reliedOn.tableNumbers.flatMap { table in
            reliedOn[table].lazy.filter { others.disprove($0.value, of: $0.key, in: table) }
                .map { ChangeSet.Conflict(table: table, row: $0.key, slot: nil, kind: .read) }
        }
    }
}

extension ForeignWrites {
    /// Whether a row that somebody relies on is gone or, of all its properties, any was written, or some have other values.
    fileprivate func disprove(
        _ properties: PropertySet, of row: Row, in table: TableNumber
    ) -> Bool {
        // What this context has inserted itself nobody else can have written.
        guard base.contains(row, in: table) else { return false }
        guard head.contains(row, in: table) else { return true }
        guard properties != .all else { return !slots(of: row, in: table).isEmpty }
        // Another object may have the row by now.
        return head.number(of: row, in: table) != base.number(of: row, in: table)
            || head.differs(from: base, row, inAnyOf: properties, in: table)
    }
}

extension WriteBases {
    /// What is wrong with the conflicts, in words; nothing if all is sound.
    var brokenInvariants: [String] {
        let known = keysByRow.map { Set($0.values.joined()) }
        if let known, known != Set(conflicts.keys) {
            return ["the conflicts are not those that are known by their rows"]
        }
        return conflicts.keys.sorted().flatMap { key -> [String] in
            guard reliedOn.tableNumbers.contains(key.table) else {
                return ["a conflict is about table \(key.table), which there is not"]
            }
            guard key.kind == .read, reliedOn[key.table][key.row] == nil else { return [] }
            return ["row \(key.row) of table \(key.table) was read, and is not relied on"]
        }
    }
}
