/// The rows that a transaction has from the allocator of its store, until they are saved or given back.
///
/// - Invariant: No fresh row is there twice, and cleared ones do not exist in the graph.
/// - Invariant: A row that is reclaimed is held as often as it is here.
/// - Invariant: `found` has the first of the fresh rows of each table, as many as it has rows.
struct SuppliedRows {
    /// Rows that can be used again, and rows to be released, when the last graph is gone in which their objects
    /// lived.
    typealias Given = (fresh: ContiguousArray<RetiredRow>, reclaimed: ContiguousArray<RowAddress>)

    private let allocator: RowAllocator
    /// Rows of each table that nobody had before; their objects may be deleted by now.
    private(set) var fresh: [ContiguousArray<RowAllocator.Use>]
    /// The fresh rows of each table that were there when a row was last looked for among them.
    private var found: [Set<Row>]
    /// Rows of objects that came back after their delete was saved.
    private var reclaimed: ContiguousArray<RowAddress> = []
    /// Those of them whose objects never were saved: they had come to nothing.
    private var reclaimedAsNew: Set<RowAddress> = []
    /// Rows that have ended, whose values are cleared in the transaction's graph.
    private(set) var cleared: ContiguousArray<RetiredRow> = []

    init(from allocator: RowAllocator, tables: Int) {
        self.allocator = allocator
        fresh = Array(repeating: [], count: tables)
        found = Array(repeating: [], count: tables)
    }

    var isEmpty: Bool {
        reclaimed.isEmpty && cleared.isEmpty && fresh.allSatisfy(\.isEmpty)
    }

    // MARK: - Taking

    /// A row that nobody has.
    @inline(__always)
    mutating func next(in table: TableNumber) -> RowAllocator.Use {
        let use = allocator.next(in: table)
        fresh[table].append(use)
        return use
    }

    /// Holds the rows of objects that are about to come back, unless they are fresh.
    mutating func reclaim(_ arrivals: [Arrival], in table: TableNumber) {
        for arrival in arrivals where !isFresh(arrival.row, in: table) {
            let address = RowAddress(table: table, row: arrival.row)
            allocator.hold(address)
            reclaimed.append(address)
            if arrival.isNew { reclaimedAsNew.insert(address) }
        }
    }

    /// Whether the object of a row that is not saved never was.
    mutating func isNew(_ row: Row, in table: TableNumber) -> Bool {
        isFresh(row, in: table) || reclaimedAsNew.contains(RowAddress(table: table, row: row))
    }

    /// Whether a row is fresh.
    ///
    /// - Complexity: O(1), but for the first time after a row was handed out, which enters it: handing rows out
    ///   goes on at its speed where nobody asks.
    private mutating func isFresh(_ row: Row, in table: TableNumber) -> Bool {
        for use in fresh[table][found[table].count...] { found[table].insert(use.row) }
        return found[table].contains(row)
    }

    /// Takes over the rows of a child context, with their numbers: not all of them may be saved with an object.
    mutating func take(from child: inout SuppliedRows) {
        for table in fresh.tableNumbers {
            fresh[table] += child.fresh[table]
            child.fresh[table] = []
            child.found[table] = []
        }
        reclaimed += child.reclaimed
        child.reclaimed = []
        reclaimedAsNew.formUnion(child.reclaimedAsNew)
        child.reclaimedAsNew = []
    }

    /// Adds rows that have ended, and were cleared.
    mutating func addCleared(_ rows: ContiguousArray<RetiredRow>) { cleared += rows }

    // MARK: - Giving back

    /// Gives back the rows that were cleared: they are not so in the graph that others see.
    mutating func giveBackCleared() {
        guard !cleared.isEmpty else { return }
        allocator.end(cleared)
        cleared = []
    }

    /// Lets the rows be used again that were cleared in the graph that is committed now.
    mutating func freeCleared() {
        guard !cleared.isEmpty else { return }
        allocator.free(cleared)
        cleared = []
    }

    /// The objects that came back, and that a commit brings back for all.
    func revived(by changes: ChangeSet) -> Set<RowAddress> {
        guard !reclaimed.isEmpty else { return [] }
        var revived: Set<RowAddress> = []
        for address in reclaimed {
            let table = address.table
            if changes.after.contains(address.row, in: table),
                !changes.before.contains(address.row, in: table)
            {
                revived.insert(address)
            }
        }
        guard !revived.isEmpty else { return [] }
        for table in fresh.tableNumbers {
            for use in fresh[table] {
                revived.remove(RowAddress(table: table, row: use.row))
            }
        }
        return revived
    }

    /// Ends the care for what is saved in a graph.
    mutating func settle(in graph: Graph) {
        for table in fresh.tableNumbers where !fresh[table].isEmpty {
            found[table] = []
            fresh[table].removeAll { graph.contains($0.row, in: table) }
        }
        reclaimed.removeAll { [allocator] address in
            guard graph.contains(address.row, in: address.table) else { return false }
            allocator.release(address)
            return true
        }
        if !reclaimedAsNew.isEmpty { reclaimedAsNew.formIntersection(reclaimed) }
    }

    /// All rows of objects, those that are pending among them.
    var addresses: ContiguousArray<RowAddress> {
        var addresses = reclaimed
        for table in fresh.tableNumbers {
            for use in fresh[table] { addresses.append(RowAddress(table: table, row: use.row)) }
        }
        return addresses
    }

    /// Gives up what came to nothing.
    ///
    /// - Parameter isKept: Whether the object of a row is pending, or somebody has a handle of it, which shows its number.
    ///   Finding that out changes nothing.
    /// - Returns: What was given up.
    mutating func giveUp(unless isKept: (_ row: Row, _ table: TableNumber) -> Bool) -> Given {
        var given: Given = ([], [])
        for table in fresh.tableNumbers where !fresh[table].isEmpty {
            found[table] = []
            fresh[table].removeAll { use in
                if isKept(use.row, table) { return false }
                given.fresh.append(
                    RetiredRow(
                        address: RowAddress(table: table, row: use.row),
                        generation: use.generation))
                return true
            }
        }
        reclaimed.removeAll { address in
            if isKept(address.row, address.table) { return false }
            given.reclaimed.append(address)
            return true
        }
        if !reclaimedAsNew.isEmpty { reclaimedAsNew.formIntersection(reclaimed) }
        return given
    }

    /// Gives up what is saved in a graph, and all that is not.
    mutating func giveUpAll(savedIn graph: Graph) -> Given {
        settle(in: graph)
        return giveUp { _, _ in false }
    }
}

extension SuppliedRows {
    /// What is wrong with the rows that a transaction has for a graph, in words; nothing if all is sound.
    func brokenInvariants(for graph: Graph) -> [String] {
        fresh.indices.filter { Set(fresh[$0].lazy.map(\.row)).count < fresh[$0].count }.map {
            "a row of table \($0) was handed out twice"
        }
            + cleared.filter { graph.contains($0.address.row, in: $0.address.table) }.map {
                "row \($0.address.row) of table \($0.address.table) is cleared, and there"
            }
    }
}
