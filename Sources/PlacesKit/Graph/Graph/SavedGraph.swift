/// What the pending changes of a context stand on.
struct SavedGraph {
    let graph: Graph
    /// The number of the commit.
    let number: Int
    /// How often the context itself has saved.
    let saves: Int

    /// Whether an edge joins two rows; `nil` where one of them is not there.
    func joins(_ ends: EdgeEnds, _ first: ListLayout, _ second: ListLayout) -> Bool? {
        guard graph.contains(ends.first, in: first.owners),
            graph.contains(ends.second, in: second.owners)
        else { return nil }
        return graph.edge(from: ends.first, to: ends.second, in: first.members) != nil
    }
}
