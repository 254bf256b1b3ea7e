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

    /// The lists of an ordered relationship; `nil` where it has none.
    func orderedLists(_ slot: Slot, in table: TableNumber) -> ListView? {
        let relationship = graph.layout.tables[table].relationships[slot]
        guard let list = relationship?.ownList, list.order != nil else { return nil }
        return ListView(graph: graph, list: list, other: relationship?.otherList)
    }

    /// Whether a member of an ordered relationship is moved to where it is here: between the same members.
    ///
    /// Beside one that is only in the context it is nowhere that others know.
    func agrees(with move: ListMoves.Move) -> Bool {
        guard let lists = orderedLists(move.slot, in: move.table),
            lists.link(move.member, of: move.owner) != nil
        else { return false }
        return lists.previous(move.member, of: move.owner) == move.previous
            && lists.next(move.member, of: move.owner) == move.next
    }
}
