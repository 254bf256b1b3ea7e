/// A commit of this process that the log does not have, or not for all that is known here.
struct UnsharedCommit: Sendable {
    var id: SharedCommit.ID
    /// The first of the commits that became one with it.
    var earliest: SharedCommit.ID
    /// When it was made, and by whom.
    var commit: Commit
    var changes: ChangeSet
    /// The commit as the log gets it, once it is written.
    var line: SharedCommit?

    init(
        _ id: SharedCommit.ID, _ commit: Commit, _ changes: ChangeSet, line: SharedCommit? = nil
    ) {
        (self.id, earliest, self.commit, self.changes, self.line) = (id, id, commit, changes, line)
    }
}

extension UnsharedCommit {
    /// Whether the commit can't be made without objects that another one was to bring.
    func needs(_ missing: Set<RowAddress>) -> Bool {
        guard !missing.isEmpty else { return false }
        func isMissing(_ row: Row, _ table: TableNumber) -> Bool {
            missing.contains(RowAddress(table: table, row: row))
        }
        var leadsToMissing = false
        changes.forEachNewLink { row, table in
            leadsToMissing = leadsToMissing || isMissing(row, table)
        }
        return leadsToMissing
            || changes.tables.tableNumbers.contains { table in
                changes.tables[table].deleted.contains { isMissing($0, table) }
                    || changes.tables[table].updated.contains { isMissing($0.row, table) }
            }
    }

    /// This commit and later ones as one, known by the last of them.
    func joined(with later: some Sequence<UnsharedCommit>) -> UnsharedCommit {
        later.reduce(self) { first, next in
            var joined = UnsharedCommit(
                next.id, next.commit, first.changes.merging(next.changes))
            joined.earliest = earliest
            return joined
        }
    }
}
