/// The members of the ordered lists of one relationship that came since an earlier graph, or moved: of those that
/// were there before as few as possible.
struct OrderedMoves {
    /// The lists in the later graph.
    let after: ListView
    private let before: ListView
    private let order: ListOrder
    /// By owner the links that came, or may have another one before them.
    private let heads: [Row: [Row]]

    /// What became of a relationship's lists; `nil` where they are not ordered.
    ///
    /// - Complexity: O(k) for k changed links.
    init?(of relationship: RelationshipLayout?, from before: Graph, to after: Graph) {
        guard let list = relationship?.ownList, let order = list.order else { return nil }
        self.order = order
        self.before = ListView(graph: before, list: list, other: relationship?.otherList)
        let view = ListView(graph: after, list: list, other: relationship?.otherList)
        self.after = view
        heads = Dictionary(
            grouping: view.links(differingFrom: self.before).filter(view.isLink), by: view.owner)
    }

    /// The links of members that came to an owner, or moved, in the order of its list.
    ///
    /// - Complexity: O(k log n) for k changed links of n.
    func links(of owner: Row) -> (all: [Row], came: Set<Row>) {
        guard let heads = heads[owner] else { return ([], []) }
        let came = Set(heads.filter { before.link(after.member($0), of: owner) == nil })
        return (after.moved(heads, order, of: owner, came: came, from: before), came)
    }

    /// The members of an owner that were there before, and moved.
    func membersMoved(of owner: Row) -> Set<Row> {
        let links = links(of: owner)
        return Set(links.all.lazy.filter { !links.came.contains($0) }.map(after.member))
    }
}
