/// Own writes of rows that went along with others when own changes were made again on top of what others saved.
///
/// The graph does not show them, and so no difference to what is saved tells of them. They are made again with the own
/// changes, and show as soon as the rows stay.
///
/// - Invariant: Each is about a row that went so.
struct BuriedWrites {
    /// The properties of a row that were written, and a graph that shows their values.
    struct Values {
        var slots: [Slot]
        let graph: Graph
    }

    /// Attributes and to-one relationships.
    private(set) var values: [RowAddress: Values] = [:]
    /// Pairs of which one end went, by the table of their edges.
    private(set) var pairs: [TableNumber: (parted: [EdgeEnds], joined: [EdgeEnds])] = [:]

    /// None.
    init() {}

    /// Those of changes that were made again, where some rows went.
    ///
    /// - Complexity: O(k) for k changes, O(1) where no row went.
    init(of replay: Replay, without gone: Set<RowAddress>) {
        guard !gone.isEmpty else { return }
        let (own, layout) = (replay.changes, replay.changes.after.layout)
        let former = replay.effects.buried
        values = former.values.filter { gone.contains($0.key) }
        for table in own.tables.tableNumbers {
            let slots = layout.tables[table].valueSlots
            for update in own.tables[table].updated {
                add(
                    slots.filter {
                        own.hasChanged(update, $0, in: table)
                            && !replay.keeps($0, of: update.row, in: table)
                    }, of: RowAddress(table: table, row: update.row), in: own.after, gone)
            }
            for row in own.tables[table].inserted {
                add(slots, of: RowAddress(table: table, row: row), in: own.after, gone)
            }
        }
        for table in layout.edgeTables {
            guard let (first, second) = layout.edgeLists(of: table) else { continue }
            let known = Set(former.pairs[table]?.parted ?? [])
            let (parted, joined) = replay.pairs(in: table)
            func isBuried(_ ends: EdgeEnds) -> Bool {
                gone.contains(RowAddress(table: first.owners, row: ends.first))
                    || gone.contains(RowAddress(table: second.owners, row: ends.second))
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

    /// Whether there are none.
    var isEmpty: Bool { values.isEmpty && pairs.isEmpty }

    private mutating func add(
        _ slots: [Slot], of address: RowAddress, in graph: Graph, _ gone: Set<RowAddress>
    ) {
        guard !slots.isEmpty, gone.contains(address) else { return }
        values[address] = Values(slots: slots, graph: graph)
    }

    /// The properties that were written of a row.
    func slots(of row: Row, in table: TableNumber) -> [Slot] {
        values.isEmpty ? [] : values[RowAddress(table: table, row: row)]?.slots ?? []
    }

    /// The rows whose property was written, and graphs that show its values.
    func rows(writing slot: Slot, in table: TableNumber) -> [(row: Row, graph: Graph)] {
        guard !values.isEmpty else { return [] }
        return values.lazy.filter { $0.key.table == table && $0.value.slots.contains(slot) }
            .map { ($0.key.row, $0.value.graph) }.sorted { $0.row < $1.row }
    }

    /// What others wrote too, of rows that they have.
    func conflicts(with others: ForeignWrites) -> Set<ChangeSet.Conflict> {
        var conflicts: Set<ChangeSet.Conflict> = []
        for (address, writes) in values
        where others.head.contains(address.row, in: address.table) {
            conflicts.formUnion(
                others.conflicts(
                    of: address.row, in: address.table, where: writes.slots.contains))
        }
        return conflicts
    }

    /// Forgets what an undo takes back.
    ///
    /// - Parameters:
    ///   - delta: What the undo changes.
    ///   - graph: A graph that knows the objects' rows.
    /// - Returns: What can be in conflict no more.
    mutating func remove(_ delta: Delta, in graph: Graph) -> [ChangeSet.Conflict] {
        guard !isEmpty else { return [] }
        var removed: [ChangeSet.Conflict] = []
        func row(_ object: Int64, in table: TableNumber) -> Row? {
            graph.rowAndGeneration(of: object, in: table)?.row
        }
        for change in delta.changes {
            guard let row = row(change.object, in: change.table) else { continue }
            let address = RowAddress(table: change.table, row: row)
            guard values[address]?.slots.contains(change.slot) == true else { continue }
            removed.append(
                ChangeSet.Conflict(table: change.table, row: row, slot: change.slot))
            values[address]?.slots.removeAll { $0 == change.slot }
            guard values[address]?.slots.isEmpty == true else { continue }
            values[address] = nil
            removed.append(
                ChangeSet.Conflict(table: change.table, row: row, slot: nil, kind: .besides))
        }
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
        pairs = pairs.filter { !$0.value.parted.isEmpty || !$0.value.joined.isEmpty }
        return removed
    }
}
