/// The members of lists that have to be moved to make the lists of a change set's later graph out of
/// those of its earlier one: those that came, and in ordered lists as few of the others as possible.
///
/// Moved one after the other behind their predecessors, the members of a list are in its order.
struct ListMoves {
    /// A member, its owner and slot, the members between which it is, which are `Row.none` at the ends, and whether
    /// it came.
    typealias Move = (
        table: TableNumber, slot: Slot, member: Row, owner: Row, previous: Row, next: Row,
        isNew: Bool
    )

    private let changes: ChangeSet
    private let kept: KeptLinks
    private(set) var all: [Move] = []

    /// Those of some changes, where members that a rule had kept count as such that came.
    ///
    /// - Complexity: O(k) for k members that came, O(k log n) in ordered lists of n.
    init(_ changes: ChangeSet, _ kept: KeptLinks) {
        (self.changes, self.kept) = (changes, kept)
        let layout = changes.after.layout
        let unnoted = changes.unnotedLists
        for table in changes.tables.tableNumbers
        where !changes.tables[table].isEmpty || unnoted.contains(where: { $0.table == table }) {
            for (slot, relationship) in zip(
                layout.tables[table].relationships.slots, layout.tables[table].relationships)
            {
                guard
                    changes.hasChanged(slot, in: table)
                        || unnoted.contains(ColumnAddress(table: table, column: slot))
                else { continue }
                switch relationship {
                case .toMany(let list): find(list, nil, slot, in: table)
                case .manyToMany(let own, let other): find(own, other, slot, in: table)
                case .toOne, .oneToOne, nil: break
                }
            }
        }
    }

    private mutating func find(
        _ list: ListLayout, _ other: ListLayout?, _ slot: Slot, in table: TableNumber
    ) {
        let before = ListView(graph: changes.before, list: list, other: other)
        let after = ListView(graph: changes.after, list: list, other: other)
        let came = kept.led(by: list.owner, in: list.members).union(entering(list, other))
        var heads: [Row: [Row]] = [:]
        var candidates = came
        if list.order != nil {
            candidates.formUnion(after.links(differingFrom: before))
            // Who follows a member that a rule had kept has the same neighbour as before.
            candidates.formUnion(
                came.map { changes.after.reference($0, list.next, in: list.members) })
            candidates.remove(.none)
        }
        // A member may be gone, and be kept in the list by its own rule.
        for link in candidates where after.isLink(link) || came.contains(link) {
            heads[after.owner(link), default: []].append(link)
        }
        for (owner, heads) in heads.sorted(by: { $0.key < $1.key }) {
            let links =
                list.order.map {
                    after.moved(heads, $0, of: owner, came: came, from: before)
                } ?? changes.after.ordered(heads, list)
            for link in links {
                let (previous, next) = (
                    changes.after.reference(link, list.previous, in: list.members),
                    changes.after.reference(link, list.next, in: list.members)
                )
                all.append(
                    (
                        table, slot, after.member(link), owner, after.member(previous),
                        after.member(next), came.contains(link)
                    ))
            }
        }
    }

    /// The links that came to a list, and maybe others that are in none.
    private func entering(_ list: ListLayout, _ other: ListLayout?) -> [Row] {
        if other != nil {
            return changes.after.edges(differingFrom: changes.before, in: list.members).added
        }
        let rows =
            changes.rows(changing: list.owner, in: list.members)
            + changes.departed(leadingElsewhereBy: list.owner, in: list.members)
        return rows.filter {
            !changes.after.reference($0, list.owner, in: list.members).isNone
        }
    }
}

extension ChangeSet {
    /// Lists that may differ though nothing is noted of them: those of rows that are gone, which a rule lets keep
    /// members, and those that kept members which come back.
    fileprivate var unnotedLists: Set<ColumnAddress> {
        var lists: Set<ColumnAddress> = []
        for denial in after.layout.denials {
            let relationship = after.layout.tables[denial.table].relationships[denial.column]
            let ends = [denial, relationship?.inverse].compactMap(\.self)
            if ends.contains(where: { hasChanged($0.column, in: $0.table) }) {
                lists.formUnion(ends)
            }
        }
        return lists
    }
}
