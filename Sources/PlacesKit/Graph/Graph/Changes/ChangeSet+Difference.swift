extension ChangeSet {
    /// The difference of two graphs of one layout.
    ///
    /// Chunks that both graphs share are skipped, by the directory of 32 where they share that.
    ///
    /// - Complexity: O(k) for k rows in the chunks that differ.
    init(from before: Graph, to after: Graph) {
        var finder = DifferenceFinder(before: before, after: after)
        for table in after.layout.tables.tableNumbers { finder.look(in: table) }
        self.init(
            before: before, after: after,
            tables: after.layout.entityTables.map { finder.changes(of: $0) })
    }

    /// The difference of two graphs of one layout, where all that may differ is among some changes.
    ///
    /// - Complexity: O(k) for k changed rows.
    init(from before: Graph, to after: Graph, among changes: [[TableChanges]]) {
        var finder = DifferenceFinder(before: before, after: after)
        for changes in changes { finder.note(changes) }
        self.init(
            before: before, after: after,
            tables: after.layout.entityTables.map { finder.changes(of: $0) })
    }
}

/// Collects which properties of which rows differ between two graphs.
private struct DifferenceFinder {
    let before: Graph
    let after: Graph
    /// What was found of each entity's rows.
    private var masks: [[Row: PropertyMask]]

    init(before: Graph, after: Graph) {
        self.before = before
        self.after = after
        masks = Array(repeating: [:], count: after.layout.entityTables.count)
    }

    /// Compares the columns of a table.
    mutating func look(in table: TableNumber) {
        let roles = after.layout.columnRoles(of: table)
        for (number, role) in zip(roles.slots, roles) {
            if case .implied = role { continue }
            let column = after.tables[table].columns[number]
            column.forEachDifference(from: before.tables[table].columns[number]) { row in
                note(row, number, role, in: table)
            }
        }
    }

    /// Takes over which rows changed, and what of them.
    mutating func note(_ changes: [TableChanges]) {
        for table in changes.tableNumbers {
            for row in changes[table].inserted { noteOwn(.all, row, in: table) }
            for row in changes[table].deleted { noteOwn(.all, row, in: table) }
            for row in changes[table].relinked { noteOwn([], row, in: table) }
            for update in changes[table].updated {
                noteOwn(update.changes, update.row, in: table)
            }
        }
    }

    private mutating func note(
        _ row: Row, _ column: Slot, _ role: ColumnRole, in table: TableNumber
    ) {
        switch role {
        case .implied: break
        case .presence: noteOwn([], row, in: table)
        case .property: noteOwn(PropertyMask(slot: column), row, in: table)
        case .owner(let list):
            noteOwn(PropertyMask(slot: column), row, in: table)
            noteOwners(of: row, list)
        case .neighbour(let list): return noteOwners(of: row, list)
        }
        // An edge that came or went keeps what it held; one that leads elsewhere, since its row was freed and
        // used again, may lie where it lay in the list of the end that it kept.
        if let lists = after.layout.edgeLists(of: table) {
            noteOwners(of: row, lists.first)
            noteOwners(of: row, lists.second)
        }
    }

    private mutating func noteOwn(_ mask: PropertyMask, _ row: Row, in table: TableNumber) {
        if masks.tableNumbers.contains(table) { masks[table][row, default: []].formUnion(mask) }
    }

    private mutating func noteOwners(of row: Row, _ list: ListLayout) {
        guard let slot = list.ownerSlot else { return }
        for graph in [before, after] {
            let owner = graph.reference(row, list.owner, in: list.members)
            guard !owner.isNone,
                masks.tableNumbers.contains(list.members)
                    || graph.contains(row, in: list.members)
            else { continue }
            noteOwn(PropertyMask(slot: slot), owner, in: list.owners)
        }
    }

    /// The changes of an entity, by ascending rows.
    func changes(of table: TableNumber) -> TableChanges {
        var changes = TableChanges()
        for (row, mask) in masks[table].sorted(by: { $0.key < $1.key }) {
            switch (before.contains(row, in: table), after.contains(row, in: table)) {
            case (false, false):
                if after.relinks(row, since: before, in: table) { changes.relinked.append(row) }
            case (false, true): changes.inserted.append(row)
            case (true, false): changes.deleted.append(row)
            case (true, true):
                let net = after.changes(from: before, row, among: mask, in: table)
                if !net.isEmpty { changes.updated.append(RowUpdate(row: row, changes: net)) }
            }
        }
        return changes
    }
}

extension Graph {
    /// The rows of a table that differ from those of another graph in any column.
    func rows(differingFrom other: Graph, in table: TableNumber) -> [Row] {
        var rows: Set<Row> = []
        for (column, old) in zip(tables[table].columns, other.tables[table].columns) {
            column.forEachDifference(from: old) { rows.insert($0) }
        }
        return rows.sorted()
    }
}
