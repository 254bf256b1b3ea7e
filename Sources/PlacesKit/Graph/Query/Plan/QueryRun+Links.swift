extension QueryRun {
    /// The rows of a plan's table that a relationship joins to the rows of another plan: along the
    /// links where they are few, else by a look at all rows.
    mutating func links(_ slot: Slot, _ inner: QueryPlan, of plan: QueryPlan) -> RowSelection {
        let table = plan.table
        let chunks = graph.tables[table].chunkCount
        let others = joinedRows(inner)
        guard graph.layout.tables[table].relationships[slot]?.isToOne == true else {
            var owners = graph.owners(of: others, slot, in: table)
            owners.formIntersection(graph.rows(in: table))
            return owners.count > chunks * 2 ? .set(owners) : .list(owners.rows)
        }
        if let members = linked(
            slot, others, in: table, atMost: graph.tables[table].count / 16)
        {
            note("along links", at: plan)
            return RowSelection(
                unordered: members.filter { graph.contains($0, in: table) }, chunks: chunks)
        }
        note("by a look at all rows", at: plan)
        return .set(
            graph.tables[table].columns[slot].scan(.table, graph.rows(in: table), nil) {
                (target: Row) in others.contains(target)
            })
    }

    /// The rows whose to-one relationship leads to one of some rows, deleted ones among them; `nil`
    /// where they are more than a number.
    func linked(
        _ slot: Slot, _ targets: RowSet, in table: TableNumber, atMost limit: Int
    ) -> ContiguousArray<Row>? {
        var rows = ContiguousArray<Row>()
        switch graph.layout.tables[table].relationships[slot] {
        case .toOne(let list):
            let owners = graph.tables[list.owners].columns
            let members = graph.tables[list.members].columns
            let counts = owners[list.count]
            var total = 0
            targets.forEach { total &+= Int(max(0, counts.element(Int32.self, at: $0))) }
            guard total <= limit else { return nil }
            rows.reserveCapacity(total)
            let (heads, nexts) = (owners[list.head], members[list.next])
            targets.forEach { owner in
                var member = heads.element(Row.self, at: owner)
                while !member.isNone {
                    rows.append(member)
                    member = nexts.element(Row.self, at: member)
                }
            }
        case .oneToOne(let other):
            guard targets.count <= limit else { return nil }
            targets.forEach { target in
                let row = graph.reference(target, other.column, in: other.table)
                if !row.isNone { rows.append(row) }
            }
        case .toMany, .manyToMany, nil: return nil
        }
        return rows
    }
}

extension Graph {
    /// The owners of some members of a to-many relationship.
    func owners(of members: RowSet, _ slot: Slot, in table: TableNumber) -> RowSet {
        var result = RowSet(chunks: tables[table].chunkCount)
        switch layout.tables[table].relationships[slot] {
        case .toMany(let list):
            members.forEach { member in
                let owner = reference(member, list.owner, in: list.members)
                if !owner.isNone { result.insert(owner) }
            }
        case .manyToMany(let own, let other):
            members.forEach { member in
                var edge = reference(member, other.head, in: other.owners)
                while !edge.isNone {
                    result.insert(reference(edge, own.owner, in: own.members))
                    edge = reference(edge, other.next, in: other.members)
                }
            }
        case .toOne, .oneToOne, nil: break
        }
        return result
    }
}
