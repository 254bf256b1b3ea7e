/// What other commits wrote of rows since the state that a context began with.
///
/// It is told by the commits having written, never by values: whoever wrote a value and then the old
/// one again has written. Members of to-many relationships and derived attributes are nobody's writes.
struct ForeignWrites {
    /// The graph that the context began with.
    private(set) var base: Graph
    /// The graph of the last of the commits.
    private(set) var head: Graph
    /// What the commits wrote of the rows that are asked for, by table; `nil` where they are not
    /// remembered.
    private var masks: [[Row: PropertyMask]]?
    /// Which of the slots that share one member of a mask they wrote.
    private var beyondMask: [[Row: Set<Slot>]] = []

    /// What commits wrote of some rows, or of all.
    ///
    /// - Complexity: O(k) for k rows that the commits changed.
    init(
        of commits: [[TableChanges]]?, among rows: [Set<Row>]? = nil, from base: Graph,
        to head: Graph
    ) {
        self.base = base
        self.head = head
        guard let commits else { return }
        let tables = base.layout.entityTables
        var masks = [[Row: PropertyMask]](repeating: [:], count: tables.count)
        beyondMask = Array(repeating: [:], count: tables.count)
        for table in tables where rows?[table].isEmpty != true {
            let wanted = rows.map { $0[table] }
            func isWanted(_ row: Row) -> Bool { wanted?.contains(row) ?? true }
            for commit in commits {
                let changes = commit[table]
                for update in changes.updated where isWanted(update.row) {
                    masks[table][update.row, default: []].formUnion(update.changes)
                }
                for (row, slots) in changes.beyondMask where isWanted(row) {
                    beyondMask[table][row, default: []].formUnion(slots)
                }
                // What was deleted and is there came back: all of it is new.
                for row in changes.deleted where isWanted(row) {
                    masks[table][row] = .inserted
                }
                for row in changes.inserted where isWanted(row) {
                    masks[table][row] = .inserted
                }
            }
        }
        self.masks = masks
    }

    /// The same for another state to begin with, and a graph with more than these commits.
    ///
    /// - Complexity: O(1): whoever asks for many states goes through the commits once.
    func between(_ base: Graph, _ head: Graph) -> ForeignWrites {
        var writes = self
        (writes.base, writes.head) = (base, head)
        return writes
    }

    /// The slots of the attributes and to-one relationships of a row that were written.
    ///
    /// Where commits are not remembered, whatever shares its chunk with something that was written, that
    /// came or that went may have been written, and counts as such.
    func slots(of row: Row, in table: TableNumber) -> [Slot] {
        let layout = base.layout.tables[table]
        guard let masks else {
            func differs(_ slot: Slot) -> Bool {
                base.tables[table].columns[slot].block(row.chunk)
                    != head.tables[table].columns[slot].block(row.chunk)
            }
            // A delete and its undo leave the values as they were.
            return differs(layout.presence)
                ? layout.valueSlots : layout.valueSlots.filter(differs)
        }
        guard let written = masks[table][row] else { return [] }
        let values = layout.valueSlots
        if written.contains(.inserted) { return values }
        let shared = beyondMask[table][row, default: []]
        return values.filter {
            $0.isShared ? shared.contains($0) : written.contains(PropertyMask(slot: $0))
        }
    }

    /// The properties of a row that is there which commits wrote too or, where there are none, that they wrote others.
    func conflicts(
        of row: Row, in table: TableNumber, where isWritten: (Slot) -> Bool
    ) -> [ChangeSet.Conflict] {
        let foreign = slots(of: row, in: table)
        let both = foreign.filter(isWritten)
        guard both.isEmpty, !foreign.isEmpty else {
            return both.map { ChangeSet.Conflict(table: table, row: row, slot: $0) }
        }
        return [ChangeSet.Conflict(table: table, row: row, slot: nil, kind: .besides)]
    }

    /// Whether commits led a relationship to a row that did not lead there before.
    ///
    /// - Complexity: O(m) for m members of the row's relationships.
    func linked(to row: Row, in table: TableNumber) -> Bool {
        head.isLinked(to: row, in: table, unlikeIn: base)
    }
}

extension Graph {
    /// Whether a relationship leads to a row whose other end has a list of those, and did not in an earlier graph.
    ///
    /// - Complexity: O(m) for m members of the row's relationships.
    func isLinked(to row: Row, in table: TableNumber, unlikeIn base: Graph) -> Bool {
        let layout = base.layout.tables[table]
        let lists = layout.relationships.compactMap { $0?.ownList } + layout.hiddenLists
        return lists.contains { list in
            guard base.layout.entityTables.contains(list.members) else {
                return hasNewEdges(to: row, list, since: base)
            }
            // What is gone, and is kept in the list by its own rule, is nobody's work.
            return links(of: row, list).contains {
                contains($0, in: list.members)
                    && (!base.contains($0, in: list.members)
                        || base.reference($0, list.owner, in: list.members) != row)
            }
        }
    }

    /// Whether an edge joins a row to another that it was apart from.
    private func hasNewEdges(to row: Row, _ list: ListLayout, since base: Graph) -> Bool {
        let far: Slot = list.isFirst ? .secondEnd : .firstEnd
        func ends(_ graph: Graph) -> Set<Row> {
            Set(graph.links(of: row, list).map { graph.reference($0, far, in: list.members) })
        }
        return !ends(self).isSubset(of: ends(base))
    }
}

extension TableLayout {
    /// The slots of the attributes and to-one relationships, without what is derived.
    var valueSlots: [Slot] {
        relationships.slots.filter { slot in
            switch relationships[slot] {
            case .toMany, .manyToMany: false
            case .toOne, .oneToOne, nil: !isDerived(slot)
            }
        }
    }
}
