extension Transaction {
    /// Makes changes again that were made on another graph.
    ///
    /// What others deleted meanwhile stays deleted, and is not led to.
    ///
    /// - Complexity: O(k) for k changed rows and links.
    func apply(_ replay: Replay) {
        let changes = replay.changes
        // What others have changed is told before the first change of an undo alters anything.
        let current = replay.isUndo ? freeze() : graph
        var revived: [(table: Int, row: Int32)] = []
        var inserted = changes.tables.map(\.inserted)
        for table in changes.tables.indices {
            // What came back by itself has its values.
            if replay.isUndo { inserted[table].removeAll { contains($0, in: table) } }
            for row in inserted[table] where !contains(row, in: table) {
                revive(row, in: table, kind: changes.after.kind(row, in: table))
                if changes.before.contains(row, in: table) { revived.append((table, row)) }
            }
        }
        for table in changes.tables.indices {
            for slot in layout.tables[table].valueSlots {
                let updated = changes.tables[table].updated.filter {
                    changes.hasChanged($0, slot, in: table) && contains($0.row, in: table)
                        && !(replay.isUndo
                            && current.differs(from: changes.before, $0.row, slot, in: table))
                }
                var rows = inserted[table] + updated.map(\.row)
                rows.removeAll { replay.keeps(slot, of: $0, in: table) }
                copy(slot, of: rows, from: replay, over: current, in: table)
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
        _ slot: Int, of rows: ContiguousArray<Int32>, from replay: Replay,
        over current: Graph, in table: Int
    ) {
        let (before, after) = (replay.changes.before, replay.changes.after)
        switch access[table].traits[slot].relationship {
        case nil:
            for row in rows { copy(row, slot, of: after, to: row, in: table) }
        case .oneToOne(let other):
            for row in rows {
                let target = after.reference(row, slot, in: table)
                let former = before.reference(row, slot, in: table)
                if target < 0, replay.spares(former, in: other.table) { continue }
                let isThere = canLead(to: target, in: other.table, by: replay)
                if replay.isUndo, isThere,
                    current.isTaken(target, other, but: row, since: before)
                {
                    continue
                }
                setToOne(row, slot, in: table, to: isThere ? target : noRow)
            }
        case .toOne(let list):
            let moved = ContiguousArray(
                rows.lazy.filter { row in
                    after.reference(row, slot, in: table) >= 0
                        || !replay.spares(before.reference(row, slot, in: table), in: list.owners)
                })
            moveMembers(moved, slot, list, by: replay)
        case .toMany, .manyToMany: break
        }
    }

    /// Leads members to their new owners, those of one owner in the order in which they were added.
    private func moveMembers(
        _ rows: ContiguousArray<Int32>, _ slot: Int, _ list: ListLayout, by replay: Replay
    ) {
        let after = replay.changes.after
        let groups = Dictionary(grouping: rows) {
            after.reference($0, slot, in: list.members)
        }
        for (owner, members) in groups.sorted(by: { $0.key < $1.key }) {
            let target = canLead(to: owner, in: list.owners, by: replay) ? owner : noRow
            for member in after.ordered(members, list) {
                setToOne(member, slot, in: list.members, to: target)
                guard replay.isUndo, target >= 0 else { continue }
                restorePlace(
                    of: member, list,
                    behind: after.reference(member, list.previous, in: list.members),
                    before: after.reference(member, list.next, in: list.members))
            }
        }
    }

    /// Whether a row may be led to: it exists, or an undo makes a link again that forbade its delete.
    private func canLead(to row: Int32, in table: Int, by replay: Replay) -> Bool {
        contains(row, in: table)
            || replay.isUndo && denials.contains { $0.table == table && $0.row == row }
    }

    /// Leads members back to a row that another graph had lost, unless they have an owner.
    private func returnMembers(to row: Int32, in table: Int, from after: Graph) {
        for slot in layout.tables[table].relationships.indices {
            guard case .toMany(let list) = layout.tables[table].relationships[slot] else {
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
        for table in layout.entityCount..<layout.tables.count {
            guard let (first, second) = layout.edgeLists(of: table) else { continue }
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
                guard contains(left, in: first.owners), contains(right, in: second.owners) else {
                    continue
                }
                join(left, right, first, second)
                if replay.isUndo { restorePlaces(like: edge, of: after, first, second) }
            }
        }
    }

    /// Brings the edge between two rows to the places that another graph's edge between them has.
    private func restorePlaces(
        like edge: Int32, of after: Graph, _ first: ListLayout, _ second: ListLayout
    ) {
        func own(_ edge: Int32) -> Int32 {
            guard edge >= 0 else { return noRow }
            let left = after.reference(edge, first.owner, in: first.members)
            let right = after.reference(edge, second.owner, in: second.members)
            return self.edge(left, first, right, second) ?? noRow
        }
        let link = own(edge)
        for list in [first, second] {
            let previous = after.reference(edge, list.previous, in: list.members)
            let next = after.reference(edge, list.next, in: list.members)
            restorePlace(
                of: link, list, behind: previous < 0 ? noRow : own(previous), before: own(next))
        }
    }
}

extension Graph {
    /// Whether a row is another's partner here, and was not in an earlier graph.
    fileprivate func isTaken(
        _ row: Int32, _ partner: ColumnAddress, but own: Int32, since before: Graph
    ) -> Bool {
        let rival = reference(row, partner.column, in: partner.table)
        return rival >= 0 && rival != own
            && rival != before.reference(row, partner.column, in: partner.table)
    }

    /// Some members of one list, neighbours among them in their order.
    func ordered(_ members: [Int32], _ list: ListLayout) -> [Int32] {
        guard members.count > 1 else { return members }
        let known = Set(members)
        var ordered: [Int32] = []
        for member in members.sorted()
        where !known.contains(reference(member, list.previous, in: list.members)) {
            var link = member
            while known.contains(link) {
                ordered.append(link)
                link = reference(link, list.next, in: list.members)
            }
        }
        return ordered
    }

    /// The rows that a list holds, in its order.
    func links(of owner: Int32, _ list: ListLayout) -> RelatedRows {
        RelatedRows(
            graph: self, upcoming: reference(owner, list.head, in: list.owners), list: list,
            target: nil)
    }

    /// The pairs of rows that an edge joined in `before` and none joins here, and the edges that join
    /// here what none joined there.
    func edges(
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
    func sequenced(
        _ edges: [Int32], _ first: ListLayout, _ second: ListLayout
    ) -> [Int32] {
        var followers: [Int32: [Int32]] = [:]
        var waiting: [Int32: Int] = [:]
        let edges = Set(edges)
        for list in [first, second] {
            for edge in edges.sorted() {
                let previous = reference(edge, list.previous, in: list.members)
                guard edges.contains(previous) else { continue }
                followers[previous, default: []].append(edge)
                waiting[edge, default: 0] += 1
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
struct EdgeEnds: Hashable {
    var first: Int32
    var second: Int32
}
