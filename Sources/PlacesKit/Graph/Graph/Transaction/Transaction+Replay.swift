extension Transaction {
    /// Makes changes again that were made on another graph.
    ///
    /// What others deleted meanwhile stays deleted, and is not led to.
    ///
    /// - Complexity: O(k) for k changed rows and links.
    func apply(_ replay: Replay) { make(replay.located(in: self)) }

    /// Makes the changes that a delta has kept.
    ///
    /// What others have changed since stays as they left it.
    ///
    /// - Parameters:
    ///   - delta: The changes.
    ///   - saved: What is saved below the graph of the transaction.
    ///   - isContested: Whether a conflict is about a row, which may come back though others deleted it, too.
    /// - Complexity: O(k) for k changed properties and links.
    func apply(_ delta: Delta, over saved: SavedGraph, _ isContested: (RowAddress) -> Bool) {
        make(DeltaReplay(delta, over: saved, in: self, isContested))
    }

    private func make(_ changes: some Replayable) {
        for table in entityTables {
            let arrivals = changes.arrivals(in: table).filter { !contains($0.row, in: table) }
            suppliedRows.reclaim(arrivals, in: table)
            for arrival in arrivals {
                revive(
                    arrival.row, in: table, kind: arrival.kind, generation: arrival.generation)
            }
        }
        changes.returnMembers(in: self)
        for table in entityTables {
            for slot in layout.tables[table].valueSlots {
                if access[table].traits[slot].relationship == nil {
                    changes.write(slot, in: table, to: self)
                } else {
                    lead(changes, slot, in: table)
                }
            }
        }
        for table in layout.edgeTables { pair(changes, in: table) }
        let staying = changes.staying
        for table in entityTables {
            for row in changes.departures(in: table) {
                delete(row, from: table, sparing: staying)
            }
        }
        changes.arrangeMembers(in: self)
    }

    private func lead(_ changes: some Replayable, _ slot: Slot, in table: TableNumber) {
        guard let relationship = layout.tables[table].relationships[slot] else { return }
        for link in changes.links(of: slot, in: table)
        where contains(link.row, in: table)
            || denies(link.row, in: table) && changes.mayLead(toDeleted: link.row, in: table)
        {
            let isThere = canLead(relationship, to: link.target, by: changes)
            setToOne(link.row, slot, in: table, to: isThere ? link.target : Row.none)
        }
    }

    /// Parts and joins the rows that the changes did, in an order that suits the lists at both ends.
    private func pair(_ changes: some Replayable, in table: TableNumber) {
        guard let (first, second) = layout.edgeLists(of: table) else { return }
        let (parted, joined) = changes.pairs(in: table)
        for ends in parted { part(ends.first, ends.second, first, second) }
        let (forth, back) = (
            RelationshipLayout.manyToMany(own: first, other: second),
            RelationshipLayout.manyToMany(own: second, other: first)
        )
        for ends in joined
        where contains(ends.first, in: first.owners) && canLead(forth, to: ends.second, by: changes)
            || contains(ends.second, in: second.owners)
                && canLead(back, to: ends.first, by: changes)
        {
            join(ends.first, ends.second, first, second)
        }
    }

    /// Whether changes can let a relationship lead to a row.
    private func canLead(
        _ relationship: RelationshipLayout, to row: Row, by changes: some Replayable
    ) -> Bool {
        let destination = relationship.destination
        return contains(row, in: destination)
            || canLead(relationship, to: row)
                && changes.mayLead(toDeleted: row, in: destination)
    }

    /// Leads members back to a row that another graph had lost, unless they have an owner.
    func returnMembers(to row: Row, in table: TableNumber, from after: Graph) {
        for slot in layout.tables[table].relationships.slots {
            guard case .toMany(let list) = layout.tables[table].relationships[slot] else {
                continue
            }
            for member in after.related(row, slot, in: table)
            where contains(member, in: list.members)
                && reference(member, list.owner, in: list.members).isNone
            {
                setToOne(member, list.owner, in: list.members, to: row)
            }
        }
    }
}

extension Graph {
    /// Where a to-one relationship leads from some rows, those that come to one owner of a list in the
    /// order of the list.
    func links(from rows: some Collection<Row>, _ slot: Slot, in table: TableNumber) -> [Link] {
        guard case .toOne(let list) = layout.tables[table].relationships[slot] else {
            return rows.map { Link(row: $0, target: reference($0, slot, in: table)) }
        }
        return Dictionary(grouping: rows) { reference($0, slot, in: table) }
            .sorted { $0.key < $1.key }
            .flatMap { owner, members in
                ordered(members, list).map { Link(row: $0, target: owner) }
            }
    }

    /// Some members of one list, neighbours among them in their order.
    func ordered(_ members: [Row], _ list: ListLayout) -> [Row] {
        guard members.count > 1 else { return members }
        let known = Set(members)
        var ordered: [Row] = []
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
    func links(of owner: Row, _ list: ListLayout) -> RelatedRows {
        members(of: owner, list, by: nil)
    }

    /// The pairs of rows that an edge joined in `before` and none joins here, and the edges that join
    /// here what none joined there.
    func edges(
        differingFrom before: Graph, in table: TableNumber
    ) -> (removed: [EdgeEnds], added: [Row]) {
        var removed: Set<EdgeEnds> = []
        var added: [EdgeEnds: Row] = [:]
        for edge in rows(differingFrom: before, in: table) {
            let (old, new) = (
                before.contains(edge, in: table) ? before.ends(of: edge, in: table) : nil,
                contains(edge, in: table) ? ends(of: edge, in: table) : nil
            )
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

    /// The rows that an edge joins.
    func ends(of edge: Row, in table: TableNumber) -> EdgeEnds {
        EdgeEnds(
            first: reference(edge, .firstEnd, in: table),
            second: reference(edge, .secondEnd, in: table))
    }

    /// The edges in an order that agrees with that of the lists at both ends, where there is one.
    func sequenced(
        _ edges: [Row], _ first: ListLayout, _ second: ListLayout
    ) -> [Row] {
        var followers: [Row: [Row]] = [:]
        var waiting: [Row: Int] = [:]
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
        var sequence: [Row] = []
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
