/// The members of the ordered lists of one relationship that came since an earlier graph, or moved: of those that
/// were there before as few as possible.
struct OrderedMoves {
    /// The lists in the later graph, and in the earlier one.
    let after: ListView
    let before: ListView
    private let order: ListOrder
    /// By owner the links that came, or may have another one before them.
    private let heads: [Row: [Row]]
    /// Links that count as if they had come.
    private let returning: Set<Row>

    /// What became of a relationship's lists; `nil` where they are not ordered.
    ///
    /// - Parameters:
    ///   - relationship: The relationship.
    ///   - before: The earlier graph.
    ///   - after: The later graph.
    ///   - returning: Links of the later graph that count as if they had come.
    /// - Complexity: O(k) for k changed links.
    init?(
        of relationship: RelationshipLayout?, from before: Graph, to after: Graph,
        returning: Set<Row> = []
    ) {
        guard let list = relationship?.ownList, let order = list.order else { return nil }
        self.order = order
        self.before = ListView(graph: before, list: list, other: relationship?.otherList)
        let view = ListView(graph: after, list: list, other: relationship?.otherList)
        self.after = view
        self.returning = returning
        // What follows such a link did not come with it.
        let links = view.links(differingFrom: self.before).union(returning)
            .union(returning.lazy.map { after.reference($0, list.next, in: list.members) })
        heads = Dictionary(grouping: links.filter(view.isLink), by: view.owner)
    }

    /// The links of members that came to an owner, or moved, in the order of its list.
    ///
    /// - Complexity: O(k log n) for k changed links of n.
    func links(of owner: Row) -> (all: [Row], came: Set<Row>) {
        guard let heads = heads[owner] else { return ([], []) }
        let came = Set(
            heads.filter {
                returning.contains($0) || before.link(after.member($0), of: owner) == nil
            })
        return (after.moved(heads, order, of: owner, came: came, from: before), came)
    }

    /// The members of an owner that were there before, and moved.
    func membersMoved(of owner: Row) -> Set<Row> {
        let links = links(of: owner)
        return Set(links.all.lazy.filter { !links.came.contains($0) }.map(after.member))
    }
}
