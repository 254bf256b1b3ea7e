/// Own writes that nothing shows since rows went along with others when own changes were made again on top of what
/// others saved: those of these rows, and links that lead other rows to them or away from them.
///
/// No difference to what is saved tells of them. They are made again with the own changes, and show as soon as the rows
/// stay.
///
/// - Invariant: Each is about a row that went so, or about a link to one, own or saved.
struct BuriedWrites {
    /// What was written of a row.
    struct Writes {
        /// Properties, with graphs that show their values.
        private var parts: [(slots: [Slot], graph: Graph)] = []
        /// The row, where it is a new one that went.
        var arrival: Arrival?

        init(arrival: Arrival? = nil) { self.arrival = arrival }

        /// The properties that were written.
        var slots: [Slot] { parts.flatMap(\.slots) }

        /// A graph that shows what was written to a property; `nil` where it was not written.
        func graph(showing slot: Slot) -> Graph? {
            parts.first { $0.slots.contains(slot) }?.graph
        }

        mutating func add(_ slots: [Slot], in graph: Graph) {
            remove(slots)
            if !slots.isEmpty { parts.append((slots, graph)) }
        }

        mutating func remove(_ slots: [Slot]) {
            for index in parts.indices { parts[index].slots.removeAll(where: slots.contains) }
            parts.removeAll { $0.slots.isEmpty }
        }

        /// Those of some properties.
        func filter(_ isIncluded: (Slot) -> Bool) -> Writes {
            var writes = self
            writes.remove(slots.filter { !isIncluded($0) })
            return writes
        }

        var isEmpty: Bool { parts.isEmpty && arrival == nil }
    }

    /// Attributes and to-one relationships.
    private(set) var values: [RowAddress: Writes] = [:]
    /// Pairs of which one end went, by the table of their edges.
    private(set) var pairs: [TableNumber: (parted: [EdgeEnds], joined: [EdgeEnds])] = [:]

    /// None.
    init() {}

    /// Those of changes that were made again, where some rows went, of these rows and of new ones that went with them.
    ///
    /// - Complexity: O(k) for k changes, O(1) where no row went.
    init(of replay: Replay, in made: ChangeSet, without gone: Set<RowAddress>) {
        let (own, former) = (replay.changes, replay.effects.buried)
        guard !gone.isEmpty || !former.isEmpty else { return }
        func isThere(_ address: RowAddress) -> Bool {
            made.after.contains(address.row, in: address.table)
        }
        for (address, writes) in former.values
        where gone.contains(address) || writes.arrival != nil && !isThere(address) {
            let open = writes.filter {
                replay.effects.buriedGraph(
                    of: $0, address.row, in: address.table, under: own.after) != nil
            }
            if !open.isEmpty { values[address] = open }
        }
        for table in own.tables.tableNumbers {
            let slots = made.after.layout.tables[table].valueSlots
            func address(_ row: Row) -> RowAddress { RowAddress(table: table, row: row) }
            for row in own.tables[table].inserted where !isThere(address(row)) {
                if !made.before.contains(row, in: table), !replay.returns(row, in: table) {
                    values[address(row), default: Writes()].arrival = Arrival(
                        row: row, kind: own.after.kind(row, in: table),
                        generation: own.after.generation(row, in: table))
                } else if !gone.contains(address(row)) {
                    continue
                }
                add(
                    slots.filter { !replay.keeps($0, of: row, in: table) }, of: address(row),
                    in: own.after)
            }
            for update in own.tables[table].updated where gone.contains(address(update.row)) {
                add(
                    slots.filter {
                        own.hasChanged(update, $0, in: table)
                            && !replay.keeps($0, of: update.row, in: table)
                    }, of: address(update.row), in: own.after)
            }
        }
        addPairs(of: replay, without: gone)
    }

    /// Adds the pairs with rows that went.
    private mutating func addPairs(of replay: Replay, without gone: Set<RowAddress>) {
        let (own, layout) = (replay.changes, replay.changes.after.layout)
        for table in layout.edgeTables {
            guard let (first, second) = layout.edgeLists(of: table) else { continue }
            let known = Set(replay.effects.buried.pairs[table]?.parted ?? [])
            let (parted, joined) = replay.pairs(in: table)
            func isGone(_ row: Row, _ table: TableNumber) -> Bool {
                let address = RowAddress(table: table, row: row)
                return gone.contains(address) || values[address]?.arrival != nil
            }
            func isBuried(_ ends: EdgeEnds) -> Bool {
                isGone(ends.first, first.owners) || isGone(ends.second, second.owners)
            }
            // What an own delete parts it will part again.
            func isOwn(_ ends: EdgeEnds) -> Bool {
                own.after.contains(ends.first, in: first.owners)
                    && own.after.contains(ends.second, in: second.owners)
            }
            let (out, back) = (
                parted.filter { isBuried($0) && (isOwn($0) || known.contains($0)) },
                joined.filter(isBuried)
            )
            if !out.isEmpty || !back.isEmpty { pairs[table] = (out, back) }
        }
    }

    /// Adds the own links of rows that are there which are not to be seen, since what they lead to went or, where they
    /// lead nowhere, what is led to as it is saved.
    ///
    /// - Returns: Those that nothing is written over.
    /// - Complexity: O(k) for k changes, O(1) where no row went.
    mutating func addLinks(
        of replay: Replay, in made: ChangeSet, without gone: Set<RowAddress>
    ) -> [(row: RowAddress, slot: Slot)] {
        let (own, former) = (replay.changes, replay.effects.buried)
        guard !gone.isEmpty || !values.isEmpty else { return [] }
        let absent = gone.union(values.lazy.filter { $0.value.arrival != nil }.map(\.key))
        let layout = own.after.layout
        func isLost(_ row: RowAddress, _ slot: Slot, in graph: Graph) -> Bool {
            let target = graph.reference(row.row, slot, in: row.table)
            guard target.isNone || made.after.reference(row.row, slot, in: row.table) != target,
                !target.isNone || made.before.contains(row.row, in: row.table)
            else { return false }
            let lost =
                target.isNone ? made.before.reference(row.row, slot, in: row.table) : target
            return absent.contains(
                RowAddress(table: layout.destination(of: slot, in: row.table), row: lost))
        }
        func isOpen(_ row: RowAddress, _ slot: Slot) -> Bool {
            replay.effects.buriedGraph(of: slot, row.row, in: row.table, under: own.after) != nil
        }
        var open: [(row: RowAddress, slot: Slot)] = []
        for table in own.tables.tableNumbers {
            for slot in layout.tables[table].linkSlots {
                for row in own.rows(changing: slot, in: table)
                where made.after.contains(row, in: table)
                    && !replay.keeps(slot, of: row, in: table)
                {
                    let address = RowAddress(table: table, row: row)
                    guard !isOpen(address, slot),
                        isLost(address, slot, in: own.after)
                    else { continue }
                    add([slot], of: address, in: own.after)
                    open.append((address, slot))
                }
            }
        }
        for (row, writes) in former.values where made.after.contains(row.row, in: row.table) {
            for slot in layout.tables[row.table].linkSlots
            where !replay.keeps(slot, of: row.row, in: row.table) {
                guard let graph = writes.graph(showing: slot),
                    values[row]?.graph(showing: slot) == nil,
                    isLost(row, slot, in: graph)
                else { continue }
                add([slot], of: row, in: graph)
                if isOpen(row, slot) { open.append((row, slot)) }
            }
        }
        return open
    }

    /// Whether there are none.
    var isEmpty: Bool { values.isEmpty && pairs.isEmpty }

    private mutating func add(_ slots: [Slot], of row: RowAddress, in graph: Graph) {
        guard !slots.isEmpty else { return }
        values[row, default: Writes()].add(slots, in: graph)
    }

    /// The rows whose property was written, and graphs that show its values.
    func rows(writing slot: Slot, in table: TableNumber) -> [(row: Row, graph: Graph)] {
        guard !values.isEmpty else { return [] }
        return values.compactMap { address, writes in
            guard address.table == table, let graph = writes.graph(showing: slot) else {
                return nil
            }
            return (address.row, graph)
        }.sorted { $0.row < $1.row }
    }

    /// The new rows of a table that went.
    func arrivals(in table: TableNumber) -> [Arrival] {
        values.lazy.filter { $0.key.table == table }.compactMap(\.value.arrival)
            .sorted { $0.row < $1.row }
    }

    /// What others wrote too, of rows that they have and that went.
    func conflicts(
        with others: ForeignWrites, without shown: Graph
    ) -> Set<ChangeSet.Conflict> {
        var conflicts: Set<ChangeSet.Conflict> = []
        for (address, writes) in values
        where others.head.contains(address.row, in: address.table)
            && !shown.contains(address.row, in: address.table)
        {
            conflicts.formUnion(
                others.conflicts(
                    of: address.row, in: address.table, where: writes.slots.contains))
        }
        return conflicts
    }

    /// Forgets all of some rows.
    mutating func forget(_ rows: [RowAddress], in layout: GraphLayout) {
        let rows = Set(rows.filter { values.removeValue(forKey: $0) != nil })
        guard !rows.isEmpty else { return }
        for (table, ends) in pairs {
            guard let (first, second) = layout.edgeLists(of: table) else { continue }
            func isAbout(_ ends: EdgeEnds) -> Bool {
                rows.contains(RowAddress(table: first.owners, row: ends.first))
                    || rows.contains(RowAddress(table: second.owners, row: ends.second))
            }
            pairs[table] = (
                ends.parted.filter { !isAbout($0) }, ends.joined.filter { !isAbout($0) }
            )
        }
        dropEmptyPairs()
    }

    private mutating func dropEmptyPairs() {
        pairs = pairs.filter { !$0.value.parted.isEmpty || !$0.value.joined.isEmpty }
    }

    /// Takes back what an undo does: a property that has what the undone changes wrote has what was written before, and
    /// is forgotten if that is what the writes began with.
    ///
    /// - Parameters:
    ///   - delta: What the undo changes.
    ///   - graph: The graph after it, which knows the objects' rows.
    ///   - saved: What is saved.
    ///   - rows: The rows of the store.
    ///   - base: What the writes of a property are based on.
    /// - Returns: What can be in conflict no more; `besides`, of each row of which nothing is left.
    mutating func takeBack(
        _ delta: Delta, in graph: Graph, over saved: Graph, rows: RowAllocator,
        base: (ChangeSet.Conflict) -> Graph
    ) -> [ChangeSet.Conflict] {
        guard !isEmpty else { return [] }
        var ended: [ChangeSet.Conflict] = []
        func row(_ object: Int64, in table: TableNumber) -> Row? {
            graph.rowAndGeneration(of: object, in: table)?.row
        }
        for change in delta.changes {
            let (table, slot) = (change.table, change.slot)
            guard let row = row(change.object, in: table) else { continue }
            let address = RowAddress(table: table, row: row)
            // What was written on top of it leaves it.
            guard let former = change.former, let written = values[address]?.graph(showing: slot),
                written.holds(former, row, slot, in: table)
            else { continue }
            let property = ChangeSet.Conflict(table: table, row: row, slot: slot)
            let base = base(property)
            if let earlier = [written, saved].lazy.compactMap({
                $0.setting(slot, of: row, in: table, to: change.value, rows: rows)
            }).first,
                !base.contains(row, in: table) || earlier.differs(from: base, row, slot, in: table)
            {
                values[address]?.add([slot], in: earlier)
                continue
            }
            values[address]?.remove([slot])
            // What shows again by the undo may be in conflict as any write.
            if !graph.contains(row, in: table) || graph.reference(row, slot, in: table).isNone {
                ended.append(property)
            }
            guard values[address]?.isEmpty == true else { continue }
            values[address] = nil
            ended.append(ChangeSet.Conflict(table: table, row: row, slot: nil, kind: .besides))
        }
        let departed = delta.departures.compactMap { object in
            row(object.object, in: object.table).map { RowAddress(table: object.table, row: $0) }
        }
        forget(departed.filter { values[$0]?.arrival != nil }, in: graph.layout)
        var undone: [TableNumber: Set<EdgeEnds>] = [:]
        for pair in delta.pairs where pairs[pair.table] != nil {
            guard let (first, second) = graph.layout.edgeLists(of: pair.table),
                let one = row(pair.first, in: first.owners),
                let other = row(pair.second, in: second.owners)
            else { continue }
            undone[pair.table, default: []].insert(EdgeEnds(first: one, second: other))
        }
        for (table, ends) in undone {
            pairs[table]?.parted.removeAll(where: ends.contains)
            pairs[table]?.joined.removeAll(where: ends.contains)
        }
        dropEmptyPairs()
        return ended
    }
}

extension Graph {
    /// This graph with another value of a property; `nil` where it has not the objects.
    fileprivate func setting(
        _ slot: Slot, of row: Row, in table: TableNumber, to value: Delta.Value, rows: RowAllocator
    ) -> Graph? {
        guard contains(row, in: table) else { return nil }
        let transaction = Transaction(self, rows: rows)
        switch value {
        case .attribute, .blob: transaction.write(value, row, slot, in: table)
        case .object(Delta.noObject, _):
            transaction.setToOne(row, slot, in: table, to: Row.none)
        case .object(let number, _):
            let destination = destination(of: slot, in: table)
            guard let target = rowAndGeneration(of: number, in: destination)?.row,
                contains(target, in: destination)
            else { return nil }
            transaction.setToOne(row, slot, in: table, to: target)
        }
        return transaction.takeChanges().after
    }
}

extension TableLayout {
    /// The to-one relationships at whose other end there is a list.
    fileprivate var linkSlots: [Slot] {
        relationships.slots.filter {
            if case .toOne = relationships[$0] { true } else { false }
        }
    }
}
