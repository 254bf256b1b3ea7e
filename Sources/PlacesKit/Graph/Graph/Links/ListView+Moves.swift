extension ListView {
    /// The members of an ordered list that came, or do not stay where they were, in its order.
    ///
    /// From one head to the next no member came, and all follow each other as they did before: such a
    /// block moves, or stays, as a whole.
    ///
    /// - Parameters:
    ///   - heads: The links of the list that came, or have another link before them than in the earlier graph.
    ///   - order: What tells positions in the list.
    ///   - owner: Whose list it is.
    ///   - came: The heads that came.
    ///   - before: The lists in the earlier graph.
    /// - Returns: The links of those members; as few as possible, but for those that came.
    /// - Complexity: O(h log n + m) for h heads among n members, m of which came or moved.
    func moved(
        _ heads: [Row], _ order: ListOrder, of owner: Row, came: Set<Row>, from before: ListView
    ) -> [Row] {
        var blocks = heads.map { (link: $0, start: graph.position(of: $0, in: list, order)) }
        let first = graph.reference(owner, list.head, in: list.owners)
        if !heads.contains(first) { blocks.append((first, 0)) }
        blocks.sort { $0.start < $1.start }
        let count = graph.count(of: owner, list)
        let lengths = blocks.indices.map {
            ($0 + 1 < blocks.count ? blocks[$0 + 1].start : count) - blocks[$0].start
        }
        let stayed = blocks.indices.filter { !came.contains(blocks[$0].link) }
        let positions = stayed.map { index in
            before.link(member(blocks[index].link), of: owner).map {
                before.graph.position(of: $0, in: list, order)
            } ?? -1
        }
        let settled = Set(
            heaviestIncreasingSubsequence(of: positions, weights: stayed.map { lengths[$0] })
                .map { stayed[$0] })
        var moved: [Row] = []
        for index in blocks.indices where !settled.contains(index) {
            var link = blocks[index].link
            for _ in 0..<lengths[index] {
                moved.append(link)
                link = graph.reference(link, list.next, in: list.members)
            }
        }
        return moved
    }
}
