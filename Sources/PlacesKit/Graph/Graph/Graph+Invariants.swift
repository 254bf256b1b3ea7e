extension Graph {
    /// What is wrong with the graph, in words; nothing in a sound one.
    ///
    /// While a delete that a relationship forbids is pending, the deleted row keeps the links that
    /// forbid it; `allowingDeniedDeletes` accepts those, and values that are not unique yet.
    ///
    /// - Complexity: O(n) for n values.
    func brokenInvariants(allowingDeniedDeletes isPending: Bool) -> [String] {
        let check = GraphCheck(graph: self, isPending: isPending)
        check.run()
        return check.violations + brokenFollowers
    }
}

/// Visits everything that a graph keeps twice, and compares.
private final class GraphCheck {
    let graph: Graph
    let isPending: Bool
    private(set) var violations: [String] = []

    init(graph: Graph, isPending: Bool) {
        self.graph = graph
        self.isPending = isPending
    }

    private var layout: GraphLayout { graph.layout }

    func run() {
        for table in graph.tables.tableNumbers {
            checkPresence(table)
            checkReferences(table)
            for list in layout.tables[table].hiddenLists { checkList(list) }
            for slot in layout.tables[table].relationships.slots {
                switch layout.tables[table].relationships[slot] {
                case .toMany(let list), .manyToMany(let list, _): checkList(list)
                case .oneToOne(let other): checkPairs(table, slot, other)
                case .toOne, nil: break
                }
            }
            if layout.entityTables.contains(table) {
                checkNumbers(table)
                checkUnique(table)
            } else {
                checkEdges(table)
            }
            checkBlobs(table)
        }
    }

    // MARK: - Rows

    private func checkPresence(_ number: TableNumber) {
        let table = graph.tables[number]
        let present = graph.rows(in: number)
        expect(
            present.count == table.count,
            "\(name(number)) counts \(table.count) rows, and has \(present.count)")
        let presence = table.columns[layout.tables[number].presence]
        let next = presence.block(table.chunkCount).validity
        let isBounded = (0..<ChunkLayout.words).allSatisfy { next[$0] == 0 }
        let highest =
            isBounded ? present.rows.last?.index ?? 0 : table.chunkCount << ChunkLayout.shift
        expect(
            highest < max(1, table.upperBound),
            "\(name(number)) has rows above the bound \(table.upperBound)")
    }

    private func checkNumbers(_ number: TableNumber) {
        let rows = graph.rows(in: number).rows
        let known = Set(rows.map { graph.objectID($0, in: number) })
        expect(
            known.count == rows.count,
            "of the \(rows.count) rows of \(name(number)) only \(known.count) have numbers of their own"
        )
        for row in rows where graph.row(of: graph.number(of: row, in: number), in: number) != row {
            expect(false, "\(name(number, row)) is not found by its number")
        }
    }

    /// Rows that are gone hold no blob whose file would stay with them.
    private func checkBlobs(_ number: TableNumber) {
        let table = graph.tables[number]
        for (slot, column) in table.columns.enumerated() where column.kind == .blob {
            for row in table.rows where !graph.contains(row, in: number) {
                expect(
                    !column.isValid(at: row) || column.element(Blob.self, at: row).isInline,
                    "\(name(number, row)) is gone, and holds a blob in column \(slot)")
            }
        }
    }

    /// Every reference holds a row or nothing, and its validity bit says which.
    private func checkReferences(_ number: TableNumber) {
        let table = graph.tables[number]
        let presence = graph.layout.tables[number].presence
        for (column, values) in zip(table.columns.slots, table.columns)
        where values.kind == .reference && column != presence {
            for row in table.rows {
                let target = graph.reference(row, column, in: number)
                expect(
                    target >= .none && values.isValid(at: row) == !target.isNone,
                    "\(name(number, row)) holds the reference \(target) in column \(column)")
            }
        }
    }

    /// Whether a row may keep links of a relationship though it is gone: that forbade its delete, or follows from one
    /// that did.
    private func isDenied(_ slot: Slot?, in table: TableNumber) -> Bool {
        guard isPending, layout.entityTables.contains(table), let slot else { return false }
        return layout.tables[table].properties[slot].relationship?.deleteRule == .deny
            || layout.tables[table].isDerived(slot)
    }

    // MARK: - Links

    private func checkList(_ list: ListLayout) {
        violations += graph.brokenPositions(of: list)
        var listed = 0
        for owner in graph.tables[list.owners].rows {
            listed += checkMembers(of: owner, list)
        }
        let isEdge = !layout.entityTables.contains(list.members)
        let isDerived = !isEdge && layout.tables[list.members].isDerived(list.owner)
        var owned = 0
        for member in graph.tables[list.members].rows {
            let isPresent = graph.contains(member, in: list.members)
            if isEdge, !isPresent { continue }
            let owner = graph.reference(member, list.owner, in: list.members)
            if !owner.isNone {
                owned += 1
                expect(
                    isPresent || isDenied(list.owner, in: list.members),
                    "\(name(list.members, member)) is gone, and leads to \(name(list.owners, owner))"
                )
                expect(
                    graph.contains(owner, in: list.owners) || isPending && isDerived
                        || isDenied(list.ownerSlot, in: list.owners),
                    "\(name(list.members, member)) leads to \(name(list.owners, owner)), which is gone"
                )
            } else {
                expect(
                    !isEdge && graph.reference(member, list.next, in: list.members) == .none
                        && graph.reference(member, list.previous, in: list.members) == .none,
                    "\(name(list.members, member)) has neighbours in the list of nobody")
            }
        }
        expect(
            listed == owned,
            """
            the lists of \(name(list.owners)) have \(listed) members, \
            and \(owned) rows of \(name(list.members)) refer to their owners
            """)
    }

    /// Walks one list; returns its length.
    private func checkMembers(of owner: Row, _ list: ListLayout) -> Int {
        var length = 0
        var previous = Row.none
        var link = graph.reference(owner, list.head, in: list.owners)
        let limit = graph.tables[list.members].upperBound
        while !link.isNone, length <= limit {
            expect(
                graph.reference(link, list.owner, in: list.members) == owner,
                "\(name(list.members, link)) is listed by \(name(list.owners, owner)), not its owner"
            )
            expect(
                graph.reference(link, list.previous, in: list.members) == previous,
                "\(name(list.members, link)) does not lead back to its neighbour")
            expect(
                graph.contains(link, in: list.members)
                    || isDenied(list.owner, in: list.members),
                "\(name(list.members, link)) is gone, and still listed")
            length += 1
            previous = link
            link = graph.reference(link, list.next, in: list.members)
        }
        expect(length <= limit, "the list of \(name(list.owners, owner)) goes in a circle")
        expect(
            graph.reference(owner, list.tail, in: list.owners) == previous,
            "the list of \(name(list.owners, owner)) does not end with its tail")
        let count = graph.count(of: owner, list)
        expect(
            count == length,
            "\(name(list.owners, owner)) counts \(count) members, and lists \(length)")
        return length
    }

    private func checkPairs(_ table: TableNumber, _ slot: Slot, _ other: ColumnAddress) {
        for row in graph.tables[table].rows {
            let partner = graph.reference(row, slot, in: table)
            guard !partner.isNone else { continue }
            expect(
                graph.reference(partner, other.column, in: other.table) == row,
                "\(name(other.table, partner)) does not lead back to \(name(table, row))")
            expect(
                graph.contains(row, in: table) || isDenied(slot, in: table),
                "\(name(table, row)) is gone, and leads to \(name(other.table, partner))")
        }
    }

    private func checkEdges(_ number: TableNumber) {
        let table = graph.tables[number]
        var pairs: Set<[Row]> = []
        for edge in table.rows where graph.contains(edge, in: number) {
            let pair = [
                graph.reference(edge, .firstEnd, in: number),
                graph.reference(edge, .secondEnd, in: number),
            ]
            expect(pairs.insert(pair).inserted, "\(name(number, edge)) joins \(pair) again")
            expect(
                graph.edge(from: pair[0], to: pair[1], in: number) == edge,
                "the index does not find \(name(number, edge)), which joins \(pair)")
        }
        checkIndex(table.uniqueIndexes[0], rows: Set(graph.rows(in: number).rows), name(number))
        var free: Set<Row> = []
        var link = table.firstFreeEdge
        while !link.isNone, free.insert(link).inserted {
            expect(!graph.contains(link, in: number), "\(name(number, link)) exists, and is free")
            link = graph.reference(link, .firstEnd, in: number)
        }
        expect(
            link.isNone && free.count + table.count == table.upperBound,
            "\(name(number)) has \(free.count) free rows and \(table.count) others of \(table.upperBound)"
        )
    }

    // MARK: - Unique attributes

    private func checkUnique(_ number: TableNumber) {
        let table = graph.tables[number]
        for (index, slot) in layout.tables[number].uniqueSlots.enumerated() {
            let attribute = layout.tables[number].properties[slot].name
            let kinds = layout.tables[number].uniqueKinds[slot]
            let rows = graph.rows(in: number).rows.filter {
                table.columns[slot].isValid(at: $0) && graph.isConcerned($0, kinds, in: number)
            }
            let duplicates = Set(table.uniqueIndexes[index].duplicates)
            checkIndex(table.uniqueIndexes[index], rows: Set(rows), "\(name(number)).\(attribute)")
            for row in rows {
                let datum = graph.datum(row, slot, in: number)
                // Not a number is equal to nothing, itself included, and so never found.
                guard datum == datum else { continue }
                let found = graph.find(datum, slot, in: number)
                expect(
                    found == row || duplicates.contains(row) && found != nil,
                    "\(name(number)).\(attribute) does not find \(datum), which row \(row) holds")
            }
        }
    }

    private func checkIndex(_ index: HashIndex, rows: Set<Row>, _ name: String) {
        let entered = index.rows
        let duplicates = Set(index.duplicates)
        expect(
            entered.count == index.count && Set(entered).count == entered.count,
            "the index of \(name) counts \(index.count) rows, and has \(entered)")
        expect(
            duplicates.isDisjoint(with: entered) && duplicates.union(entered) == rows,
            "the index of \(name) has not just the rows that hold a value")
        expect(isPending || duplicates.isEmpty, "\(name) has duplicates \(duplicates)")
    }

    // MARK: - Words

    private func name(_ table: TableNumber) -> String {
        layout.entityTables.contains(table) ? layout.tables[table].name : "edge table \(table)"
    }

    private func name(_ table: TableNumber, _ row: Row) -> String { "\(name(table))/\(row)" }

    private func expect(_ isSound: Bool, _ violation: @autoclosure () -> String) {
        if !isSound { violations.append(violation()) }
    }
}
