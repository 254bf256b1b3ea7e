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
        let (layout, after) = (changes.after.layout, changes.after)
        func isMissing(_ row: Row, _ table: TableNumber) -> Bool {
            missing.contains(RowAddress(table: table, row: row))
        }
        return changes.tables.tableNumbers.contains { table in
            let rows = changes.tables[table]
            let slots = layout.tables[table].relationships.slots.filter {
                switch layout.tables[table].relationships[$0] {
                case .toOne, .oneToOne: true
                case .toMany, .manyToMany, nil: false
                }
            }
            func leadsToMissing(_ row: Row) -> Bool {
                slots.contains {
                    isMissing(
                        after.reference(row, $0, in: table), layout.destination(of: $0, in: table))
                }
            }
            return rows.deleted.contains { isMissing($0, table) }
                || rows.updated.contains { isMissing($0.row, table) || leadsToMissing($0.row) }
                || rows.inserted.contains(where: leadsToMissing)
        }
            || layout.edgeTables.contains { table in
                guard let (first, second) = layout.edgeLists(of: table) else { return false }
                return after.edges(differingFrom: changes.before, in: table).added.contains {
                    let ends = after.ends(of: $0, in: table)
                    return isMissing(ends.first, first.owners)
                        || isMissing(ends.second, second.owners)
                }
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
