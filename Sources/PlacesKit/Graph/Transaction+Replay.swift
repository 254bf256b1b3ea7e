extension Transaction {
    /// Makes changes again that were made on another graph.
    ///
    /// What others deleted meanwhile stays deleted, and is not led to.
    ///
    /// - Complexity: O(k) for k changed rows and links.
    func apply(_ replay: Replay) {
        let changes = replay.changes
        var revived: [(table: Int, row: Int32)] = []
        for table in changes.tables.indices {
            for row in changes.tables[table].inserted where !contains(row, in: table) {
                revive(row, in: table)
                if changes.before.contains(row, in: table) { revived.append((table, row)) }
            }
        }
        for table in changes.tables.indices {
            for slot in graph.layout.tables[table].valueSlots {
                let updated = changes.tables[table].updated.filter {
                    changes.hasChanged($0, slot, in: table) && contains($0.row, in: table)
                }
                var rows = changes.tables[table].inserted + updated.map(\.row)
                rows.removeAll { replay.keeps(slot, of: $0, in: table) }
                copy(slot, of: rows, from: replay, in: table)
            }
        }
        for (table, row) in revived { returnMembers(to: row, in: table, from: changes.after) }
        applyEdges(replay, revived: revived)
        for table in changes.tables.indices {
            for row in changes.tables[table].deleted { delete(row, from: table) }
        }
        applyPlaces(replay)
    }

    private func copy(
        _ slot: Int, of rows: ContiguousArray<Int32>, from replay: Replay, in table: Int
    ) {
        let (before, after) = (replay.changes.before, replay.changes.after)
        switch access[table].traits[slot].relationship {
        case nil:
            for row in rows { write(after.datum(row, slot, in: table), row, slot, in: table) }
        case .oneToOne(let other):
            for row in rows {
                let target = after.reference(row, slot, in: table)
                let former = before.reference(row, slot, in: table)
                if target < 0, replay.spares(former, in: other.table) { continue }
                setToOne(
                    row, slot, in: table, to: contains(target, in: other.table) ? target : noRow)
            }
        case .toOne(let list):
            let moved = ContiguousArray(
                rows.lazy.filter { row in
                    after.reference(row, slot, in: table) >= 0
                        || !replay.spares(before.reference(row, slot, in: table), in: list.owners)
                })
            moveMembers(moved, slot, list, to: after)
        case .toMany, .manyToMany: break
        }
    }

    /// Leads members to their new owners, those of one owner in the order in which they were added.
    private func moveMembers(
        _ rows: ContiguousArray<Int32>, _ slot: Int, _ list: ListLayout, to after: Graph
    ) {
        let groups = Dictionary(grouping: rows) {
            after.reference($0, slot, in: list.members)
        }
        for (owner, members) in groups.sorted(by: { $0.key < $1.key }) {
            let target = contains(owner, in: list.owners) ? owner : noRow
            for member in after.ordered(members, of: owner, list) {
                setToOne(member, slot, in: list.members, to: target)
            }
        }
    }

    /// Leads members back to a row that another graph had lost, unless they have an owner.
    private func returnMembers(to row: Int32, in table: Int, from after: Graph) {
        for slot in graph.layout.tables[table].relationships.indices {
            guard case .toMany(let list) = graph.layout.tables[table].relationships[slot] else {
                continue
            }
            for member in after.related(row, slot, in: table)
            where contains(member, in: list.members)
                && reference(member, list.owner, in: list.members) < 0
            {
                setToOne(member, list.owner, in: list.members, to: row)
            }
        }
    }

    // MARK: - Edges

    /// Joins and parts the rows that the changes did, in an order that suits the lists at both ends.
    private func applyEdges(_ replay: Replay, revived: [(table: Int, row: Int32)]) {
        let (before, after) = (replay.changes.before, replay.changes.after)
        for table in graph.layout.entityCount..<graph.layout.tables.count {
            guard let (first, second) = graph.layout.edgeLists(of: table) else { continue }
            var (removed, added) = after.edges(differingFrom: before, in: table)
            for (owners, row) in revived {
                for list in [first, second] where list.owners == owners {
                    added += after.links(of: row, list)
                }
            }
            for ends in removed
            where !replay.spares(ends.first, in: first.owners)
                && !replay.spares(ends.second, in: second.owners)
            {
                part(ends.first, ends.second, first, second)
            }
            for edge in after.sequenced(added, first, second) {
                let left = after.reference(edge, 0, in: table)
                let right = after.reference(edge, 1, in: table)
                if contains(left, in: first.owners), contains(right, in: second.owners) {
                    join(left, right, first, second)
                }
            }
        }
    }
}

extension Graph {
    /// Some members of an owner's list in its order.
    ///
    /// The walk starts at the end, where members that were added of late are.
    func ordered(_ members: [Int32], of owner: Int32, _ list: ListLayout) -> [Int32] {
        guard owner >= 0, members.count > 1 else { return members }
        var remaining = Set(members)
        var ordered: [Int32] = []
        var link = reference(owner, list.tail, in: list.owners)
        while link >= 0, !remaining.isEmpty {
            if remaining.remove(link) != nil { ordered.append(link) }
            link = reference(link, list.previous, in: list.members)
        }
        return ordered.reversed()
    }

    /// The rows that a list holds, in its order.
    func links(of owner: Int32, _ list: ListLayout) -> RelatedRows {
        RelatedRows(
            graph: self, upcoming: reference(owner, list.head, in: list.owners), list: list,
            target: nil)
    }

    /// The pairs of rows that an edge joined in `before` and none joins here, and the edges that join
    /// here what none joined there.
    fileprivate func edges(
        differingFrom before: Graph, in table: Int
    ) -> (removed: [EdgeEnds], added: [Int32]) {
        var removed: Set<EdgeEnds> = []
        var added: [EdgeEnds: Int32] = [:]
        for edge in rows(differingFrom: before, in: table) {
            let (old, new) = (before.ends(of: edge, in: table), ends(of: edge, in: table))
            guard old != new else { continue }
            if let old { removed.insert(old) }
            if let new { added[new] = edge }
        }
        return (
            removed.filter { added[$0] == nil }.sorted {
                ($0.first, $0.second) < ($1.first, $1.second)
            },
            added.filter { !removed.contains($0.key) }.values.sorted()
        )
    }

    private func ends(of edge: Int32, in table: Int) -> EdgeEnds? {
        guard contains(edge, in: table) else { return nil }
        return EdgeEnds(
            first: reference(edge, 0, in: table), second: reference(edge, 1, in: table))
    }

    /// The edges in an order that agrees with that of the lists at both ends, where there is one.
    fileprivate func sequenced(
        _ edges: [Int32], _ first: ListLayout, _ second: ListLayout
    ) -> [Int32] {
        var followers: [Int32: [Int32]] = [:]
        var waiting: [Int32: Int] = [:]
        let edges = Set(edges)
        for list in [first, second] {
            let groups = Dictionary(grouping: edges) {
                reference($0, list.owner, in: list.members)
            }
            for (owner, members) in groups {
                let order = ordered(members, of: owner, list)
                for (edge, follower) in zip(order, order.dropFirst()) {
                    followers[edge, default: []].append(follower)
                    waiting[follower, default: 0] += 1
                }
            }
        }
        var ready = edges.filter { waiting[$0] == nil }.sorted(by: >)
        var sequence: [Int32] = []
        while let edge = ready.popLast() {
            sequence.append(edge)
            for follower in followers[edge] ?? [] {
                let left = (waiting[follower] ?? 1) - 1
                waiting[follower] = left
                if left == 0 { ready.append(follower) }
            }
        }
        // Lists that were put into an order of their own may contradict each other.
        return sequence + edges.subtracting(sequence).sorted()
    }
}

/// The two rows that an edge joins.
private struct EdgeEnds: Hashable {
    var first: Int32
    var second: Int32
}
