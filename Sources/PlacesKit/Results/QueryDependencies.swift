/// What a query reads of other tables, and how to find the rows that it was read for.
struct QueryDependencies {
    /// A table that is reached through a chain of relationships, each by its table and slot.
    private struct Station {
        var chain: [(table: Int, slot: Int)] = []
        var table: Int
    }

    /// Properties that are read somewhere.
    private struct Dependency {
        var place: Station
        var properties: PropertyMask
    }

    private var dependencies: [Dependency] = []
    private let layout: GraphLayout

    /// The dependencies of a condition and of the operands of sort keys and sections.
    init(_ condition: Condition, _ operands: [Operand], table: Int, graph: Graph) {
        layout = graph.layout
        let start = [Station(table: table)]
        collect(condition, start)
        for operand in operands { collect(operand, start) }
    }

    /// Collects what a condition reads; the places are where its rows lie and, before the last, where
    /// relationships were followed from.
    private mutating func collect(_ condition: Condition, _ places: [Station]) {
        switch condition {
        case .constant, .kind, .opaque: break
        case .not(let condition): collect(condition, places)
        case .all(let conditions), .any(let conditions):
            for condition in conditions { collect(condition, places) }
        case .comparison(let left, _, let right), .texts(let left, _, _, let right):
            collect(left, places)
            collect(right, places)
        case .text(let operand, _), .membership(let operand, _): collect(operand, places)
        case .related(let slot, let condition, _), .anyMember(let slot, let condition):
            collect(condition, places + [follow([slot], from: places[places.count - 1])])
        }
    }

    private mutating func collect(_ operand: Operand, _ places: [Station]) {
        switch operand {
        case .constant: break
        case .folded(let operand, _), .mapped(let operand, _): collect(operand, places)
        case .coalesced(let first, let second), .arithmetic(let first, _, let second),
            .exact(let first, _, let second, _):
            collect(first, places)
            collect(second, places)
        case .chosen(let condition, let first, let second):
            collect(condition, places)
            collect(first, places)
            collect(second, places)
        case .attribute(let path), .count(let path), .identity(let path):
            _ = follow(path, from: places[places.count - 1])
        case .aggregate(_, let path, let operand), .member(let path, _, let operand):
            collect(operand, places + members(of: path, places))
        case .countWhere(let path, let condition):
            collect(condition, places + members(of: path, places))
        case .first(let path, let condition, let operand):
            let places = places + members(of: path, places)
            collect(condition, places)
            collect(operand, places)
        case .outer(let levels, let operand): collect(operand, Array(places.dropLast(levels)))
        }
    }

    private mutating func members(of path: MembersPath, _ places: [Station]) -> [Station] {
        places.dropLast(path.levels).last.map { [follow(path.slots, from: $0)] } ?? []
    }

    /// Notes what a chain of relationships reads, and gives the place at its end.
    private mutating func follow(_ path: [Int], from start: Station) -> Station {
        var place = start
        for slot in path {
            // Changes of the query's own table are always looked at.
            if !place.chain.isEmpty {
                dependencies.append(
                    Dependency(place: place, properties: PropertyMask(slot: slot)))
            }
            guard layout.tables[place.table].relationships[slot] != nil else { break }
            place.chain.append((place.table, slot))
            place.table = layout.destination(of: slot, in: place.table)
        }
        return place
    }

    /// Adds the rows for which something that changed was read.
    ///
    /// A link that changed is a change of the row that it starts from, so it is enough to walk back
    /// from changed values along the links as they are now.
    func insertRows(touchedBy changes: ChangeSet, into rows: inout Set<Int32>) {
        for dependency in dependencies {
            for update in changes.tables[dependency.place.table].updated
            where !update.changes.isDisjoint(with: dependency.properties) {
                var reached: Set<Int32> = [update.row]
                for link in dependency.place.chain.reversed() {
                    reached = reached.reduce(into: []) { sources, row in
                        sources.formUnion(
                            changes.after.sources(of: row, link.slot, in: link.table))
                    }
                }
                rows.formUnion(reached)
            }
        }
    }
}

extension Graph {
    /// The rows of a table whose relationship leads to a row of its destination.
    func sources(of row: Int32, _ slot: Int, in table: Int) -> [Int32] {
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
