/// The members of lists that have to be moved to make the lists of a change set's later graph out of
/// those of its earlier one: those that came, and in ordered lists as few of the others as possible.
///
/// Moved one after the other behind their predecessors, the members of a list are in its order.
struct ListMoves {
    /// A member, its owner and slot, and the members between which it is; `Row.none` at the ends.
    typealias Move = (
        table: TableNumber, slot: Slot, member: Row, owner: Row, previous: Row, next: Row
    )

    private let changes: ChangeSet
    private(set) var all: [Move] = []

    /// - Complexity: O(k) for k members that came, O(k log n) in ordered lists of n.
    init(_ changes: ChangeSet) {
        self.changes = changes
        let layout = changes.after.layout
        for table in changes.tables.tableNumbers where !changes.tables[table].isEmpty {
            for (slot, relationship) in zip(
                layout.tables[table].relationships.slots, layout.tables[table].relationships)
            {
                guard changes.hasChanged(slot, in: table) else { continue }
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
        let came = Set(entering(list, other))
        var heads: [Row: [Row]] = [:]
        let candidates =
            list.order == nil ? came : came.union(after.links(differingFrom: before))
        for link in candidates where after.isLink(link) {
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
                        after.member(next)
                    ))
            }
        }
    }

    /// The links that came to a list, and maybe others that are in none.
    private func entering(_ list: ListLayout, _ other: ListLayout?) -> [Row] {
        if other != nil {
            return changes.after.edges(differingFrom: changes.before, in: list.members).added
        }
        return changes.rows(changing: list.owner, in: list.members).filter {
            !changes.after.reference($0, list.owner, in: list.members).isNone
        }
    }
}
