/// What tells the positions of one owner's members, where they do not follow from the commit's links.
///
/// By themselves members that leave a list leave it, and those that come are added at its end in the
/// order in which they stand in the record. What differs from that is told by moves of single members,
/// each behind one that is in its position by then; where long parts of a long list changed their order,
/// the whole order is told.
struct ListPositions {
    /// Whose list it is, and of which relationship.
    var table: TableNumber
    var slot: Slot
    var owner: Row
    /// Members that move, and behind which; behind none comes first.
    var moves: [(member: Row, previous: Row)] = []
    /// All members in their order, where that is told.
    var order: [Row] = []

    /// The positions that a commit has to tell.
    ///
    /// - Parameters:
    ///   - changes: What the commit changed.
    ///   - order: The rows of each table in the order in which they are written.
    ///   - joined: The pairs of each table of edges in the order in which they are written.
    /// - Returns: What to tell, by relationship and owner.
    /// - Complexity: O(k log k) for k changed objects and links.
    static func all(
        _ changes: ChangeSet, order: [[Row]], joined: [TableNumber: [EdgeEnds]]
    ) -> [ListPositions] {
        let layout = changes.after.layout
        var lists: [ListPositions] = []
        for table in layout.tables.tableNumbers {
            if layout.entityTables.contains(table) {
                var positions: [Row: Int]?
                for case .toOne(let list)? in layout.tables[table].relationships
                where list.ownerSlot != nil {
                    let comparison = ListComparison(changes, list, other: nil)
                    lists += comparison.positions { _, member in
                        let known =
                            positions
                            ?? Dictionary(
                                order[table].enumerated().map { ($1, $0) }
                            ) { first, _ in first }
                        positions = known
                        return known[member] ?? 0
                    }
                }
            } else if let (first, second) = layout.edgeLists(of: table) {
                let pairs = joined[table] ?? []
                let positions = Dictionary(pairs.enumerated().map { ($1, $0) }) { first, _ in first
                }
                for (list, other) in [(first, second), (second, first)] {
                    let comparison = ListComparison(changes, list, other: other)
                    lists += comparison.positions { owner, member in
                        let ends =
                            list.isFirst
                            ? EdgeEnds(first: owner, second: member)
                            : EdgeEnds(first: member, second: owner)
                        return positions[ends] ?? 0
                    }
                }
            }
        }
        return lists.sorted { ($0.table, $0.slot, $0.owner) < ($1.table, $1.slot, $1.owner) }
    }
}

/// One relationship's lists before and after a commit.
private struct ListComparison {
    private static let exactLimit = 256
    private static let blockLimit = 32

    let before: ListView
    let after: ListView

    init(_ changes: ChangeSet, _ list: ListLayout, other: ListLayout?) {
        before = ListView(graph: changes.before, list: list, other: other)
        after = ListView(graph: changes.after, list: list, other: other)
    }

    /// The positions to tell; `position` says when a member that came to an owner is written.
    func positions(_ position: (Row, Row) -> Int) -> [ListPositions] {
        var owners: [Row: [Row]] = [:]
        for link in after.links(differingFrom: before).sorted() {
            owners[after.owner(link), default: []].append(after.member(link))
        }
        return owners.sorted { $0.key < $1.key }.compactMap { owner, members in
            positions(of: owner, members) { position(owner, $0) }
        }
    }

    private func positions(
        of owner: Row, _ members: [Row], _ position: (Row) -> Int
    ) -> ListPositions? {
        guard let slot = after.list.ownerSlot else { return nil }
        let entering = members.filter { before.link($0, of: owner) == nil }
            .map { (position($0), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
        var predecessors: [Row: Row] = [:]
        for (index, member) in entering.enumerated() {
            predecessors[member] =
                index > 0 ? entering[index - 1] : surviving(before.last(of: owner), of: owner)
        }
        /// Which member another would come after by itself.
        func expected(_ member: Row) -> Row {
            predecessors[member] ?? surviving(before.previous(member, of: owner), of: owner)
        }
        let heads = members.filter { expected($0) != after.previous($0, of: owner) }
        guard !heads.isEmpty else { return nil }
        var positions = ListPositions(table: after.list.owners, slot: slot, owner: owner)
        if after.graph.count(of: owner, after.list) <= Self.exactLimit {
            positions.moves = fewestMoves(of: owner, entering: entering)
        } else if let moves = blockMoves(of: owner, heads, expected) {
            positions.moves = moves
        } else {
            positions.order = after.members(of: owner)
        }
        return positions
    }

    /// The member, or the nearest before it, that stayed in the list.
    private func surviving(_ member: Row, of owner: Row) -> Row {
        var member = member
        while !member.isNone, after.link(member, of: owner) == nil {
            member = before.previous(member, of: owner)
        }
        return member
    }

    private func fewestMoves(
        of owner: Row, entering: [Row]
    ) -> [(member: Row, previous: Row)] {
        let members = after.members(of: owner)
        let stayed = before.members(of: owner).filter { after.link($0, of: owner) != nil }
        var positions: [Row: Int] = [:]
        for (position, member) in (stayed + entering).enumerated() { positions[member] = position }
        let settled = Set(
            heaviestIncreasingSubsequence(of: members.map { positions[$0] ?? 0 }))
        return members.indices.filter { !settled.contains($0) }
            .map { (members[$0], $0 > 0 ? members[$0 - 1] : Row.none) }
    }

    /// Moves of the short parts of a list that came to another position; `nil` where long ones did.
    private func blockMoves(
        of owner: Row, _ heads: [Row], _ expected: (Row) -> Row
    ) -> [(member: Row, previous: Row)]? {
        let starts = Set(heads)
        var blocks: [Row: [Row]] = [:]
        for head in heads {
            var block = [head]
            while block.count <= Self.blockLimit {
                let next = after.next(block[block.count - 1], of: owner)
                if next.isNone || starts.contains(next) {
                    blocks[head] = block
                    break
                }
                block.append(next)
            }
        }
        let moving = Set(blocks.values.joined())
        func settled(_ member: Row, _ previous: (Row) -> Row) -> Row {
            var member = previous(member)
            while moving.contains(member) { member = previous(member) }
            return member
        }
        for head in heads where blocks[head] == nil {
            guard
                settled(head, expected) == settled(head, { after.previous($0, of: owner) })
            else { return nil }
        }
        var moves: [(member: Row, previous: Row)] = []
        for head in heads where !moving.contains(after.previous(head, of: owner)) {
            var next = head
            while let block = blocks[next] {
                for member in block { moves.append((member, after.previous(member, of: owner))) }
                next = after.next(block[block.count - 1], of: owner)
            }
        }
        return moves
    }
}
