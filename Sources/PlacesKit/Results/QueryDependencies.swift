/// What a query reads of other tables, and how to find the rows that it was read for.
struct QueryDependencies {
    /// Properties of a table that is reached through a chain of relationships.
    private struct Dependency {
        /// The relationships from the query's table on, each by its table and slot.
        var chain: [(table: Int, slot: Int)]
        var table: Int
        var properties: PropertyMask
    }

    private var dependencies: [Dependency] = []

    /// The dependencies of a condition and of the operands of sort keys and sections.
    init(_ condition: Condition, _ operands: [Operand], table: Int, graph: Graph) {
        collect(condition, [], table, graph)
        for operand in operands { collect(operand, [], table, graph) }
    }

    private mutating func collect(
        _ condition: Condition, _ chain: [(table: Int, slot: Int)], _ table: Int, _ graph: Graph
    ) {
        switch condition {
        case .constant, .kind, .opaque: break
        case .not(let condition): collect(condition, chain, table, graph)
        case .all(let conditions), .any(let conditions):
            for condition in conditions { collect(condition, chain, table, graph) }
        case .comparison(let left, _, let right):
            collect(left, chain, table, graph)
            collect(right, chain, table, graph)
        case .text(let operand, _, _), .membership(let operand, _):
            collect(operand, chain, table, graph)
        case .related(let slot, let condition, _), .anyMember(let slot, let condition):
            add(slot, chain, table)
            collect(
                condition, chain + [(table, slot)], graph.destination(of: slot, in: table), graph)
        }
    }

    private mutating func collect(
        _ operand: Operand, _ chain: [(table: Int, slot: Int)], _ table: Int, _ graph: Graph
    ) {
        switch operand {
        case .constant: break
        case .coalesced(let first, let second):
            collect(first, chain, table, graph)
            collect(second, chain, table, graph)
        case .attribute(let path), .count(let path), .identity(let path):
            var (chain, table) = (chain, table)
            for slot in path {
                add(slot, chain, table)
                guard graph.layout.tables[table].relationships[slot] != nil else { break }
                chain.append((table, slot))
                table = graph.destination(of: slot, in: table)
            }
        }
    }

    private mutating func add(_ slot: Int, _ chain: [(table: Int, slot: Int)], _ table: Int) {
        // Changes of the query's own table are always looked at.
        guard !chain.isEmpty else { return }
        dependencies.append(
            Dependency(chain: chain, table: table, properties: PropertyMask(slot: slot)))
    }

    /// Adds the rows for which something that changed was read.
    ///
    /// A link that changed is a change of the row that it starts from, so it is enough to walk back
    /// from changed values along the links as they are now.
    func insertRows(touchedBy changes: ChangeSet, into rows: inout Set<Int32>) {
        for dependency in dependencies {
            for update in changes.tables[dependency.table].updated
            where !update.changes.isDisjoint(with: dependency.properties) {
                var reached: Set<Int32> = [update.row]
                for (table, slot) in dependency.chain.reversed() {
                    reached = reached.reduce(into: []) { sources, row in
                        sources.formUnion(
                            changes.after.sources(of: row, slot, in: table))
                    }
                }
                rows.formUnion(reached)
            }
        }
    }
}

extension Graph {
    /// The rows of a table whose relationship leads to a row of its destination.
    fileprivate func sources(of row: Int32, _ slot: Int, in table: Int) -> [Int32] {
        switch layout.tables[table].relationships[slot] {
        case .toOne(let list):
            Array(
                RelatedRows(
                    graph: self, upcoming: reference(row, list.head, in: list.owners), list: list,
                    target: nil))
        case .toMany(let list):
            [reference(row, list.owner, in: list.members)].filter { $0 >= 0 }
        case .oneToOne(let other):
            [reference(row, other.column, in: other.table)].filter { $0 >= 0 }
        case .manyToMany(let own, let other):
            Array(
                RelatedRows(
                    graph: self, upcoming: reference(row, other.head, in: other.owners),
                    list: other, target: own.owner))
        case nil: []
        }
    }
}
