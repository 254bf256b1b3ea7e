/// What a query reads of other tables, and how to find the rows that it was read for.
struct QueryDependencies: Hashable, Sendable {
    /// A relationship, by its table and slot.
    private struct Link: Hashable {
        var table: TableNumber
        var slot: Slot
    }

    /// A table that is reached through a chain of relationships.
    private struct Station: Hashable {
        var chain: [Link] = []
        var table: TableNumber
    }

    /// A property that is read, and the bit that tells of it in touched rows.
    private struct ReadProperty: Hashable {
        var slot: Slot
        var bit: UInt64
    }

    /// Properties that are read at the end of a chain.
    private struct Dependency: Hashable {
        var station: Station
        /// Whether the condition only counts them: then an object shows nothing of them but whether it matches.
        var isCounted: Bool
        var mask: PropertyMask
        var properties: [ReadProperty]
        /// Whether deleted objects may be at the end: a rule that forbids the delete keeps the links to them.
        var reachesDeleted: Bool
    }

    private var dependencies: [Dependency] = []
    /// Whether what is collected is the condition's.
    private var collectsCondition = false
    /// The table that is queried.
    let table: TableNumber
    /// The tables whose changes count.
    private(set) var tables: Set<TableNumber>

    /// The dependencies of a condition and of the operands of sort keys and sections.
    init(_ condition: Condition, _ operands: [Operand], table: TableNumber, layout: GraphLayout) {
        self.table = table
        tables = [table]
        let start = [Station(table: table)]
        collectsCondition = true
        collect(.condition(condition), start, layout)
        collectsCondition = false
        for operand in operands { collect(.operand(operand), start, layout) }
    }

    /// Whether anything of other objects is read, in the table that is queried or another.
    var readsOthers: Bool { !dependencies.isEmpty }

    // MARK: - Collecting

    /// Collects what a part reads; the stations are where its rows lie and, before the last, where
    /// relationships were followed from.
    private mutating func collect(
        _ part: ConditionPart, _ stations: [Station], _ layout: GraphLayout
    ) {
        if case .operand(let operand) = part, let here = stations.last {
            collect(operand, here, layout)
        }
        part.forEachPart { part, scope in
            switch scope {
            case .here: collect(part, stations, layout)
            case .related(let slot):
                let end = follow([slot], from: stations[stations.count - 1], layout)
                collect(part, stations + [end], layout)
            case .members(let path):
                collect(part, stations + members(of: path, stations, layout), layout)
            case .outer(let levels): collect(part, Array(stations.dropLast(levels)), layout)
            }
        }
    }

    /// Collects what an operand reads by itself.
    private mutating func collect(_ operand: Operand, _ station: Station, _ layout: GraphLayout) {
        switch operand {
        case .attribute(let path), .identity(let path): _ = follow(path, from: station, layout)
        case .count(let path):
            let owner = follow(Array(path.dropLast()), from: station, layout)
            if let slot = path.last, !owner.chain.isEmpty {
                note(slot, at: owner, layout, isCounted: collectsCondition)
            }
        default: break
        }
    }

    private mutating func members(
        of path: MembersPath, _ stations: [Station], _ layout: GraphLayout
    ) -> [Station] {
        stations.dropLast(path.levels).last.map { [follow(path.slots, from: $0, layout)] } ?? []
    }

    /// Notes what a chain of relationships reads, and gives the station at its end.
    private mutating func follow(
        _ path: [Slot], from start: Station, _ layout: GraphLayout
    ) -> Station {
        var station = start
        for slot in path {
            // Changes of the query's own table are always looked at.
            if !station.chain.isEmpty { note(slot, at: station, layout) }
            guard layout.tables[station.table].relationships[slot] != nil else { break }
            station.chain.append(Link(table: station.table, slot: slot))
            station.table = layout.destination(of: slot, in: station.table)
        }
        return station
    }

    private mutating func note(
        _ slot: Slot, at station: Station, _ layout: GraphLayout, isCounted: Bool = false
    ) {
        let reachesDeleted = layout.tables[station.table].keepsDeniedLinks
        tables.insert(station.table)
        if reachesDeleted { tables.formUnion(layout.sourceTables(of: slot, in: station.table)) }
        let known = dependencies.firstIndex { $0.station == station && $0.isCounted == isCounted }
        let number = dependencies.reduce(0) { $0 + $1.properties.count }
        let property = ReadProperty(slot: slot, bit: 1 << UInt64(min(number, 63)))
        if let index = known {
            guard !dependencies[index].properties.contains(where: { $0.slot == slot }) else {
                return
            }
            dependencies[index].mask.formUnion(PropertyMask(slot: slot))
            dependencies[index].properties.append(property)
        } else {
            dependencies.append(
                Dependency(
                    station: station, isCounted: isCounted, mask: PropertyMask(slot: slot),
                    properties: [property], reachesDeleted: reachesDeleted))
        }
    }

    // MARK: - Rows

    /// The rows that a change touches: those of the table that changed, and those for which something
    /// that changed was read.
    ///
    /// A link that changed is a change of the row that it starts from, so it is enough to walk back
    /// from changed values along the links as they are now. Only those that a rule keeps stay as they are
    /// when the row at their other end goes or comes, and then tells of more than its own table does.
    ///
    /// - Complexity: O(k) for k changed rows of the tables that count, and rows that refer to them.
    func rows(touchedBy changes: ChangeSet) -> ContiguousArray<TouchedRow> {
        let own = changes.tables[table]
        var rows = ContiguousArray<TouchedRow>()
        rows.reserveCapacity(own.count)
        for row in own.deleted { rows.append(TouchedRow(row: row)) }
        for row in own.inserted { rows.append(TouchedRow(row: row)) }
        for update in own.updated {
            rows.append(TouchedRow(row: update.row, properties: update.changes))
        }
        var touched = TouchedRows(rows)
        for dependency in dependencies {
            let end = dependency.station.table
            // Those that changed alike go together, for many may have one owner.
            var changed: [UInt64: ContiguousArray<Row>] = [:]
            for update in changes.tables[end].updated
            where !update.changes.isDisjoint(with: dependency.mask) {
                var bits: UInt64 = 0
                for property in dependency.properties
                where changes.after.hasChanged(
                    property.slot, of: update.row, by: update.changes, since: changes.before,
                    in: end)
                {
                    bits |= property.bit
                }
                if bits != 0 { changed[bits, default: []].append(update.row) }
            }
            for (bits, ends) in changed {
                touched.note(
                    sources(of: ends, dependency.station.chain, changes.after), bits,
                    isCounted: dependency.isCounted)
            }
            guard dependency.reachesDeleted else { continue }
            let (before, after) = (changes.before, changes.after)
            for (row, bits) in changedDeleted(at: dependency, from: before, to: after) {
                touched.note(
                    lastingSources(of: row, dependency.station.chain, before, after), bits,
                    isCounted: dependency.isCounted)
            }
        }
        return touched.rows
    }

    /// The rows at the end of a chain that one of two graphs lacks, or both, and in which something is not the same
    /// that is read; and what.
    ///
    /// Objects that are deleted already are not among the changes when one more of their links goes.
    private func changedDeleted(
        at dependency: Dependency, from before: Graph, to after: Graph
    ) -> [Row: UInt64] {
        let table = dependency.station.table
        var rows: [Row: UInt64] = [:]
        for property in dependency.properties {
            for number in after.layout.columns(of: property.slot, in: table) {
                let column = after.tables[table].columns[number]
                column.forEachDifference(from: before.tables[table].columns[number]) { row in
                    if !before.contains(row, in: table) || !after.contains(row, in: table) {
                        rows[row, default: 0] |= property.bit
                    }
                }
            }
        }
        return rows
    }

    /// The rows from which a chain leads to a row in both of two graphs; the others have a link that changed.
    private func lastingSources(
        of row: Row, _ chain: [Link], _ before: Graph, _ after: Graph
    ) -> ContiguousArray<Row> {
        // A row that has come has no links before, however many it has now.
        let old = Set(sources(of: [row], chain, before))
        return old.isEmpty ? [] : sources(of: [row], chain, after).filter(old.contains)
    }

    /// The rows from which a chain leads to some rows, each once.
    private func sources(
        of ends: ContiguousArray<Row>, _ chain: [Link], _ graph: Graph
    ) -> ContiguousArray<Row> {
        var rows = ends
        for link in chain.reversed() {
            var sources = ContiguousArray<Row>()
            for row in rows { sources += graph.sources(of: row, link.slot, in: link.table) }
            // A row leads to several others only by a link to many.
            let relationship = graph.layout.tables[link.table].relationships[link.slot]
            let isToOne = relationship?.ownList == nil
            rows = rows.count > 1 && !isToOne ? ContiguousArray(Set(sources)) : sources
        }
        return rows
    }

    /// The names of what changed of a touched row: `title`, `takenAt.name`.
    func propertyNames(_ touched: TouchedRow, from before: Graph, to after: Graph) -> Set<String> {
        let layout = after.layout
        var names = after.changedNames(
            of: touched.row, by: touched.properties, since: before, in: table)
        guard touched.related != 0 else { return names }
        for dependency in dependencies {
            let chain = dependency.station.chain.map {
                layout.tables[$0.table].properties[$0.slot].name
            }
            for property in dependency.properties where touched.related & property.bit != 0 {
                let name = layout.tables[dependency.station.table].properties[property.slot].name
                names.insert((chain + [name]).joined(separator: "."))
            }
        }
        return names
    }
}

extension GraphLayout {
    /// The tables whose changes may change a property of objects that are deleted already: those at the other ends
    /// of their links.
    fileprivate func sourceTables(of slot: Slot, in table: TableNumber) -> Set<TableNumber> {
        if tables[table].isDerived(slot) { return Set(entityTables) }
        return Set([tables[table].relationships[slot]?.destination].compactMap(\.self))
    }

    /// The columns that hold what a property is to its own row.
    fileprivate func columns(of slot: Slot, in table: TableNumber) -> [Slot] {
        switch tables[table].relationships[slot] {
        case .toMany(let list), .manyToMany(let list, _): [list.head, list.tail, list.count]
        case .toOne, .oneToOne, nil: [slot]
        }
    }
}

/// Rows that a change touches, each once.
private struct TouchedRows {
    private(set) var rows: ContiguousArray<TouchedRow>
    /// Where each is, once somebody asks.
    private var indices: [Row: Int]?

    init(_ rows: ContiguousArray<TouchedRow>) { self.rows = rows }

    /// Notes what changed elsewhere of what is read for some rows.
    mutating func note(_ sources: ContiguousArray<Row>, _ bits: UInt64, isCounted: Bool) {
        guard !sources.isEmpty else { return }
        if indices == nil {
            indices = Dictionary(
                rows.enumerated().map { ($1.row, $0) }, uniquingKeysWith: { first, _ in first })
        }
        for row in sources {
            let index = indices?[row] ?? rows.count
            if index == rows.count {
                indices?[row] = index
                rows.append(TouchedRow(row: row, isChanged: false))
            }
            if !isCounted { rows[index].isChanged = true }
            rows[index].related |= bits
        }
    }
}
