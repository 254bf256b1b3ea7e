/// A commit of this process that the log does not have, or not for all that is known here.
///
/// What it changed holds two graphs, some tens of kilobytes. So where many wait, only the last ones have that
/// (`ManagedDocument.Options.unsharedChangesLimit`); from the lines of the others an `UnsharedReplay` makes it again, with
/// the transient values that the store shows.
struct UnsharedCommit: Sendable {
    var id: SharedCommit.ID
    /// The first of the commits that became one with it.
    var earliest: SharedCommit.ID
    /// When it was made, and by whom.
    var commit: Commit
    /// What it changed; `nil` where its line says so.
    private(set) var changes: ChangeSet?
    /// The commit as the log gets it, once it is written.
    var line: SharedCommit?
    /// The rows of what it deletes: the confirmed graph may have the objects.
    private let heldRows: HeldRows?

    init(
        _ id: SharedCommit.ID, _ commit: Commit, _ changes: ChangeSet, line: SharedCommit? = nil,
        in rows: RowAllocator
    ) {
        (self.id, earliest, self.commit, self.changes, self.line) = (id, id, commit, changes, line)
        heldRows = HeldRows(deletedBy: changes, of: rows)
    }

    /// Keeps its line, and forgets what it changed if the line takes less.
    mutating func seal(_ line: SharedCommit) {
        self.line = line
        forgetChanges()
    }

    /// Forgets what it changed, if its line is there and takes less.
    mutating func forgetChanges() {
        guard let line, !line.isLong else { return }
        changes = nil
    }

    /// Gives its graph the numbers of another one.
    mutating func share(_ numbers: (inout Graph) -> Void) {
        guard var changes else { return }
        numbers(&changes.after)
        self.changes = changes
    }
}

extension ChangeSet {
    /// Whether they can't be made without objects that others were to bring.
    func need(_ missing: Set<RowAddress>) -> Bool {
        guard !missing.isEmpty else { return false }
        func isMissing(_ row: Row, _ table: TableNumber) -> Bool {
            missing.contains(RowAddress(table: table, row: row))
        }
        var leadsToMissing = false
        forEachNewLink { row, table in
            leadsToMissing = leadsToMissing || isMissing(row, table)
        }
        return leadsToMissing
            || tables.tableNumbers.contains { table in
                tables[table].deleted.contains { isMissing($0, table) }
                    || tables[table].updated.contains { isMissing($0.row, table) }
            }
    }

    /// Whether they write, lead to or part any of some objects.
    func concern(_ rows: Set<RowAddress>) -> Bool {
        if need(rows) { return true }
        return after.layout.edgeTables.contains { table in
            guard let (first, second) = after.layout.edgeLists(of: table) else { return false }
            return after.edges(differingFrom: before, in: table).removed.contains { ends in
                rows.contains(RowAddress(table: first.owners, row: ends.first))
                    || rows.contains(RowAddress(table: second.owners, row: ends.second))
            }
        }
    }
}
