/// The lists of one relationship in a graph, by members instead of the links that hold them.
struct ListView {
    let graph: Graph
    let list: ListLayout
    /// The list at the other end of a many-to-many relationship.
    let other: ListLayout?

    func isLink(_ link: Row) -> Bool {
        graph.contains(link, in: list.members) && !owner(link).isNone
    }

    func owner(_ link: Row) -> Row { graph.reference(link, list.owner, in: list.members) }

    func member(_ link: Row) -> Row {
        guard !link.isNone, let other else { return link }
        return graph.reference(link, other.owner, in: list.members)
    }

    /// What links a member to an owner, if it is one.
    func link(_ member: Row, of owner: Row) -> Row? {
        guard other != nil else {
            return isLink(member) && self.owner(member) == owner ? member : nil
        }
        let (first, second) = list.isFirst ? (owner, member) : (member, owner)
        return graph.edge(from: first, to: second, in: list.members)
    }

    func previous(_ member: Row, of owner: Row) -> Row {
        neighbour(member, of: owner, list.previous)
    }

    func next(_ member: Row, of owner: Row) -> Row {
        neighbour(member, of: owner, list.next)
    }

    private func neighbour(_ member: Row, of owner: Row, _ column: Slot) -> Row {
        guard let link = link(member, of: owner) else { return Row.none }
        return self.member(graph.reference(link, column, in: list.members))
    }

    func last(of owner: Row) -> Row {
        guard graph.contains(owner, in: list.owners) else { return Row.none }
        return member(graph.reference(owner, list.tail, in: list.owners))
    }

    func members(of owner: Row) -> [Row] {
        guard graph.contains(owner, in: list.owners) else { return [] }
        return Array(related(to: owner))
    }

    /// The members of an owner that is there, one after the other.
    func related(to owner: Row) -> RelatedRows {
        graph.members(of: owner, list, by: other?.owner)
    }

    /// The links that may not be in an earlier graph's list, or have another link before them here.
    ///
    /// - Complexity: O(k) for k chunks that differ.
    func links(differingFrom before: ListView) -> Set<Row> {
        var links: Set<Row> = []
        for column in linkColumns {
            graph.tables[list.members].columns[column].forEachDifference(
                from: before.graph.tables[list.members].columns[column]
            ) { link in
                guard isLink(link) else { return }
                links.insert(link)
                // A link's row may have been another pair's before.
                let next = graph.reference(link, list.next, in: list.members)
                if !next.isNone, other != nil { links.insert(next) }
            }
        }
        return links
    }

    /// How many rows there are at most in the chunks in which `links(differingFrom:)` looks.
    func mostLinks(differingFrom before: ListView) -> Int {
        var count = 0
        for column in linkColumns {
            graph.tables[list.members].columns[column].forEachChunk(
                differingFrom: before.graph.tables[list.members].columns[column]
            ) { _ in count += ChunkLayout.rows }
        }
        return count
    }

    /// The columns that say where a link is, and in a many-to-many relationship to which member it leads.
    private var linkColumns: [Slot] {
        [list.owner, list.previous] + (other.map { [$0.owner] } ?? [])
    }
}

extension ListLayout {
    /// Whether this is the side of a many-to-many relationship at which its links are written.
    var isFirst: Bool { owner == .firstEnd }
}
