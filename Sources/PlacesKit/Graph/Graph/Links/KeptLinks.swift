/// The links that were there already when changes bring the rows back that they lead to: a rule had kept them.
///
/// What undoes such a delete makes them again where they are missing, for the members may have been deleted
/// later, and have come back before the row that they belong to.
struct KeptLinks {
    /// Members by the column that leads to their owners, and edges by the columns of both ends.
    private var links: [ColumnAddress: Set<Row>] = [:]

    /// - Complexity: O(k) for k links of rows that come.
    init(_ changes: ChangeSet) {
        let (before, after) = (changes.before, changes.after)
        for denial in after.layout.denials {
            let (list, ends): (ListLayout, [Slot])
            switch after.layout.tables[denial.table].relationships[denial.column] {
            case .toMany(let own): (list, ends) = (own, [own.owner])
            case .manyToMany(let own, let other): (list, ends) = (own, [own.owner, other.owner])
            // Where the row leads is a value of its own.
            case .toOne, .oneToOne, nil: continue
            }
            for owner in changes.tables[denial.table].inserted {
                let kept = after.links(of: owner, list).filter { link in
                    before.contains(link, in: list.members)
                        && ends.allSatisfy {
                            before.reference(link, $0, in: list.members)
                                == after.reference(link, $0, in: list.members)
                        }
                }
                guard !kept.isEmpty else { continue }
                for end in ends {
                    links[ColumnAddress(table: list.members, column: end), default: []].formUnion(
                        kept)
                }
            }
        }
    }

    /// Whether there are any in a table.
    func areThere(in table: TableNumber) -> Bool { links.keys.contains { $0.table == table } }

    /// Those of a table whose owners a column holds.
    func led(by column: Slot, in table: TableNumber) -> Set<Row> {
        links[ColumnAddress(table: table, column: column)] ?? []
    }
}
