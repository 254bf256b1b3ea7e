/// A relationship that a walk over the graph follows from the rows of a table.
struct FollowedRelationship: Hashable, Sendable {
    let table: TableNumber
    let slot: Slot
}

extension Graph {
    /// The rows to which at least one and at most `depth` steps along relationships lead, nearest first.
    ///
    /// The steps may lead through rows of any table; those of `table` are told. A row from which the walk
    /// begins is among them if steps lead back to it.
    ///
    /// - Complexity: O(n) in the number of links that are followed, and a bit for each row of the tables.
    func rowsReached(
        from starts: some Sequence<(table: TableNumber, row: Row)>,
        along relationships: [FollowedRelationship], depth: Int, in table: TableNumber
    ) -> ContiguousArray<Row> {
        var walk = GraphWalk(self, relationships)
        for start in starts { walk.begin(at: start.row, in: start.table) }
        var rows = ContiguousArray<Row>()
        var step = 0
        while step < depth, walk.advance() {
            rows += walk.front(in: table)
            step += 1
        }
        return rows
    }
}

/// A breadth-first walk along relationships: each step goes to the rows next to those of the step before that no
/// step came to.
private struct GraphWalk {
    private let graph: Graph
    /// The ways that lead on from the rows of each table.
    private var ways: [[Way]]
    /// The rows that were come to, and those of the last step, by table.
    private var visited: [RowSet]
    private var front: [ContiguousArray<Row>]

    init(_ graph: Graph, _ relationships: [FollowedRelationship]) {
        self.graph = graph
        ways = graph.tables.map { _ in [] }
        visited = graph.tables.map { RowSet(chunks: $0.chunkCount) }
        front = graph.tables.map { _ in [] }
        var known: Set<FollowedRelationship> = []
        for relationship in relationships where known.insert(relationship).inserted {
            guard let way = Way(relationship, in: graph) else { continue }
            ways[relationship.table].append(way)
        }
    }

    /// Lets the walk begin at a row, too, without being there yet.
    mutating func begin(at row: Row, in table: TableNumber) { front[table].append(row) }

    /// The rows to which the last step came first.
    func front(in table: TableNumber) -> ContiguousArray<Row> { front[table] }

    /// Goes one step; returns whether it came to any row.
    mutating func advance() -> Bool {
        var reached: [ContiguousArray<Row>] = front.map { _ in [] }
        withExtendedLifetime(graph) {
            for table in front.tableNumbers {
                for way in ways[table] {
                    Self.follow(
                        way, from: front[table], &visited[way.destination],
                        &reached[way.destination])
                }
            }
        }
        front = reached
        return front.contains { !$0.isEmpty }
    }

    private static func follow(
        _ way: Way, from rows: ContiguousArray<Row>, _ visited: inout RowSet,
        _ reached: inout ContiguousArray<Row>
    ) {
        visited.words.withUnsafeMutableBufferPointer { visited in
            func visit(_ row: Row) {
                let bit: UInt64 = 1 << UInt64(row.index & 63)
                guard visited[row.index >> 6] & bit == 0 else { return }
                visited[row.index >> 6] |= bit
                reached.append(row)
            }
            // Some lists side by side: along one alone the processor would wait for each link.
            withUnsafeTemporaryAllocation(of: Row.self, capacity: sideBySide) { links in
                for start in stride(from: 0, to: rows.count, by: sideBySide) {
                    var count = 0
                    for index in start..<min(start + sideBySide, rows.count) {
                        let link = way.first.row(at: rows[index])
                        links[count] = link
                        if !link.isNone { count &+= 1 }
                    }
                    while count > 0 {
                        var rest = 0
                        for index in 0..<count {
                            let link = links[index]
                            visit(way.target?.row(at: link) ?? link)
                            guard let next = way.next?.row(at: link), !next.isNone else { continue }
                            links[rest] = next
                            rest &+= 1
                        }
                        count = rest
                    }
                }
            }
        }
    }

    private static let sideBySide = 64
}

/// How the rows at the other end of a relationship are found.
private struct Way {
    /// The column of the owners that leads to the row, or to the first link.
    let first: ColumnReader
    /// The column of the links that leads to the next one; `nil` where there is one at most.
    let next: ColumnReader?
    /// The column of the links that leads to the member; `nil` where links are members.
    let target: ColumnReader?
    let destination: TableNumber

    /// The way along a relationship; `nil` where the slot has none.
    init?(_ relationship: FollowedRelationship, in graph: Graph) {
        let table = graph.layout.tables[relationship.table]
        guard let layout = table.relationships[relationship.slot] else { return nil }
        func reader(_ column: Slot, of table: TableNumber) -> ColumnReader {
            graph.tables[table].columns[column].reader
        }
        destination = layout.destination
        switch layout {
        case .toOne, .oneToOne:
            first = reader(relationship.slot, of: relationship.table)
            (next, target) = (nil, nil)
        case .toMany(let own):
            first = reader(own.head, of: own.owners)
            next = reader(own.next, of: own.members)
            target = nil
        case .manyToMany(let own, let other):
            first = reader(own.head, of: own.owners)
            next = reader(own.next, of: own.members)
            target = reader(other.owner, of: own.members)
        }
    }
}

extension ColumnReader {
    /// The reference at a row.
    @inline(__always)
    fileprivate func row(at row: Row) -> Row {
        block(row.chunk).elements(of: Row.self)[row.offset]
    }
}
