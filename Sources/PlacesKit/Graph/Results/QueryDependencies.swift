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
    }

    private var dependencies: [Dependency] = []
    /// Whether what is collected is the condition's.
    private var collectsCondition = false
    /// The table that is queried.
    let table: TableNumber

    /// The dependencies of a condition and of the operands of sort keys and sections.
    init(_ condition: Condition, _ operands: [Operand], table: TableNumber, layout: GraphLayout) {
        self.table = table
        let start = [Station(table: table)]
        collectsCondition = true
        collect(.condition(condition), start, layout)
        collectsCondition = false
        for operand in operands { collect(.operand(operand), start, layout) }
    }

    /// The tables whose changes count.
    var tables: Set<TableNumber> { Set(dependencies.map(\.station.table)).union([table]) }

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
                note(slot, at: owner, isCounted: collectsCondition)
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
            if !station.chain.isEmpty { note(slot, at: station) }
            guard layout.tables[station.table].relationships[slot] != nil else { break }
            station.chain.append(Link(table: station.table, slot: slot))
            station.table = layout.destination(of: slot, in: station.table)
        }
        return station
    }

    private mutating func note(_ slot: Slot, at station: Station, isCounted: Bool = false) {
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
                    properties: [property]))
        }
    }

    // MARK: - Rows

    /// The rows that a change touches: those of the table that changed, and those for which something
    /// that changed was read.
    ///
    /// A link that changed is a change of the row that it starts from, so it is enough to walk back
    /// from changed values along the links as they are now.
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
        var indices: [Row: Int]?
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
                var known =
                    indices
                    ?? Dictionary(
                        rows.enumerated().map { ($1.row, $0) },
                        uniquingKeysWith: { first, _ in first })
                // So that it is not copied when it grows.
                indices = nil
                for row in sources(of: ends, dependency.station.chain, changes.after) {
                    let index = known[row] ?? rows.count
                    if index == rows.count {
                        known[row] = index
                        rows.append(TouchedRow(row: row, isChanged: false))
                    }
                    if !dependency.isCounted { rows[index].isChanged = true }
                    rows[index].related |= bits
                }
                indices = known
            }
        }
        return rows
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
