import Synchronization

/// A private, writable graph that began as a copy of another.
///
/// Its files are the rows (`Transaction+Rows`), the memory that may be written (`+Blocks`), the indexes (`+Indexes`),
/// what is noted of changes (`+Notes`), and one for each kind of write.
///
/// It keeps inverses, indexes and derived attributes in step with every write and notes which rows
/// changed.
/// Everything is O(1) or O(log n) in the size of the graph; a chunk is copied the first time that it
/// is written after a freeze.
///
/// - Invariant: A chunk whose owner is the current token is reachable from `graph` alone.
/// - Invariant: A row of an entity is noted in its table's access exactly if its mask is not empty.
final class Transaction {
    /// The graph with all changes made so far, but for rows that wait to be entered into indexes.
    @exclusivity(unchecked) var current: Graph
    /// Whether rows wait to be entered into the indexes of unique attributes.
    @exclusivity(unchecked) var hasPendingEntries = false
    /// The row that was inserted last, if it waits to be entered into the other indexes of its table:
    /// most likely it gets its values first, and need not be moved there for each.
    ///
    /// Looking at the graph ends the wait, so no write does that halfway.
    @exclusivity(unchecked) var newcomer: (row: Int32, table: Int) = (noRow, 0)
    /// The graph as of the last call of `takeChanges`.
    var base: Graph
    /// How often the graph was looked at or replaced; another number means that it may differ.
    var version = 0
    /// The addresses of the rows of each table.
    let access: UnsafeMutablePointer<TableAccess>
    let token: UnsafeMutablePointer<UInt64>
    let rows: RowAllocator
    /// The rows that this transaction has from the allocator, or from those of child contexts.
    @exclusivity(unchecked) var suppliedRows: SuppliedRows
    /// How the graph is laid out, which looking at the graph for would end the wait of rows.
    let layout: GraphLayout
    /// The number of tables that hold objects; the others hold edges.
    let entityCount: Int
    /// The column of each table that says which rows exist.
    let presence: [Int]
    /// The column of each table that says of which kind rows are; negative without one.
    let kinds: [Int]
    /// For each table whether new rows hold a value in a unique attribute already.
    let hasUniqueDefaults: [Bool]
    /// For each table whether it has indexes, or derived attributes, that new rows have to join.
    let isJoined: [Bool]
    /// For each table the columns of blobs.
    let blobColumns: [[Int]]
    /// Deleted rows that kept links, for a relationship forbids the delete while they are there.
    var denials: [(table: Int, row: Int32)] = []
    /// Who observes rows.
    let observations: RowObservations
    /// Called when a row is noted for the first time since the last call of `takeChanges`.
    var onFirstNote: (() -> Void)? { didSet { isWatched = true } }
    /// Whether that was done.
    @exclusivity(unchecked) var isFirstNoteTold = false
    /// Whether somebody wants to know of notes.
    @exclusivity(unchecked) var isWatched = false
    /// The masks of chunks in which nothing changed.
    let unchanged: UnsafeMutablePointer<UInt64>

    /// Starts from `graph`.
    init(_ graph: Graph, rows: RowAllocator) {
        current = graph
        base = graph
        self.rows = rows
        suppliedRows = SuppliedRows(tables: graph.tables.count)
        layout = graph.layout
        entityCount = graph.layout.entityCount
        presence = graph.layout.tables.map(\.presence)
        kinds = graph.layout.tables.map { $0.kinds ?? -1 }
        hasUniqueDefaults = graph.layout.tables.map { table in
            table.properties.contains {
                $0.attribute.map { $0.isUnique && $0.defaultValue ?? .null != .null } ?? false
            }
        }
        blobColumns = graph.layout.tables.map { table in
            table.columns.indices.filter { table.columns[$0].kind == .blob }
        }
        isJoined = graph.layout.tables.map { table in
            !table.orderedIndexes.isEmpty || !table.wordIndexes.isEmpty
                || !table.combinations.isEmpty || !table.derivations.isEmpty
        }
        observations = RowObservations(tables: entityCount)
        unchanged = .allocate(capacity: ChunkLayout.rows)
        unchanged.initialize(repeating: 0, count: ChunkLayout.rows)
        token = .allocate(capacity: 1)
        token.initialize(to: Self.makeToken())
        current.writer = token.pointee
        access = .allocate(capacity: graph.tables.count)
        for table in graph.tables.indices {
            (access + table).initialize(
                to: TableAccess(
                    graph.layout.tables[table], of: self, token: token,
                    unchanged: unchanged))
            access[table].grow(
                to: graph.tables[table].chunkCount, of: graph.tables[table])
            access[table].refreshIndexes(from: graph.tables[table])
        }
    }

    deinit {
        for table in current.tables.indices {
            access[table].deallocate()
        }
        access.deallocate()
        token.deallocate()
        unchanged.deallocate()
    }

    private static let tokens = Atomic<UInt64>(1)

    /// A token that no chunk carries yet.
    static func makeToken() -> UInt64 {
        tokens.wrappingAdd(1, ordering: .relaxed).oldValue
    }

    /// The graph with all changes made so far; only this transaction may look at it.
    var graph: Graph {
        _read {
            if isBehind { catchUp() }
            yield current
        }
    }

    /// The graph as it is now, for anybody to read.
    ///
    /// - Complexity: O(1).
    func freeze() -> Graph {
        if isBehind { catchUp() }
        renewToken()
        return current
    }

    /// Whether the indexes lack rows that wait.
    @inline(__always)
    private var isBehind: Bool { hasPendingEntries || newcomer.row != noRow }

    @inline(never)
    private func catchUp() {
        if hasPendingEntries { enterPending() }
        joinNewcomer()
    }

    /// Takes a token that no chunk carries: the chunks there are will not be written again.
    private func renewToken() {
        token.pointee = Self.makeToken()
        current.writer = token.pointee
    }

    /// Drops all changes and starts again from `graph`.
    func reset(to graph: Graph) {
        for table in 0..<entityCount {
            access[table].clearNotes()
            access[table].dropPending()
        }
        hasPendingEntries = false
        newcomer.row = noRow
        denials = []
        isFirstNoteTold = false
        let old = current
        current = graph
        renewToken()
        version &+= 1
        base = graph
        for table in graph.tables.indices {
            if graph.tables[table].chunkCount > access[table].chunkCapacity {
                access[table].grow(
                    to: graph.tables[table].chunkCount, of: graph.tables[table])
            }
            access[table].refresh(from: graph.tables[table], replacing: old.tables[table])
        }
        keepSuppliedRows()
    }

    /// Lets the graph be of the lifetime that begins with a commit of it.
    func begin(_ lifetime: GraphLifetime?) {
        current.lifetime = lifetime
        base.lifetime = lifetime
    }
}
