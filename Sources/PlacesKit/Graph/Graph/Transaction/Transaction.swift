import Synchronization

/// A private, writable graph that began as a copy of another.
///
/// It keeps inverses, indexes and derived attributes in step with every write and notes which rows
/// changed.
/// Everything is O(1) or O(log n) in the size of the graph; a chunk is copied the first time that it
/// is written after a freeze.
///
/// - Editing: `current` and its addresses, `waiting`, and what the layout says. The rows are in
///   `Transaction+Rows`, the memory that may be written in `+Blocks`, the indexes in `+Indexes`, and each kind
///   of write in a file of its own.
/// - Recording: the notes in the tables' accesses, `recorder` and `observations`; in `+Notes`.
/// - Making changes again: a `Replayable` says which; `suppliedRows` holds the rows of objects that come back, and
///   `denials` are the deletes that a rule forbids, wherever they are made.
///
/// - Invariant: A chunk whose owner is the current token is reachable from `graph` alone.
/// - Invariant: A row of an entity is noted in its table's access exactly if its mask is not empty.
final class Transaction {
    /// The graph with all changes made so far, but for rows that wait to be entered into indexes.
    @exclusivity(unchecked) var current: Graph
    @exclusivity(unchecked) var waiting = WaitingRows()
    @exclusivity(unchecked) var recorder: ChangeRecorder
    /// Who observes rows.
    let observations: RowObservations
    @exclusivity(unchecked) var suppliedRows: SuppliedRows
    var denials = DeniedDeletes()
    /// The transaction of the context that this one's forked, if any; not kept, for this one's context keeps that one.
    private unowned let parent: Transaction?
    /// Those that were pending in the parent when this transaction started from its graph.
    private(set) var parentDenials: DeniedDeletes
    /// Whether a closure makes a derived value of a row that is only halfway written: no row may come or go meanwhile, and
    /// nothing change that something follows.
    @exclusivity(unchecked) var isComputing = false
    /// The addresses of the rows of each table.
    let access: UnsafeMutablePointer<TableAccess>
    let token: UnsafeMutablePointer<UInt64>
    /// How the graph is laid out, which looking at the graph for would end the wait of rows.
    let layout: GraphLayout
    /// The tables that hold objects; the others hold edges.
    let entityTables: Range<TableNumber>
    let traits: [TableTraits]
    /// How often something was linked to something.
    var linkChanges = 0
    /// The mark that was asked for last.
    var latestMark = ChangeMark(token: 0, notes: 0)
    /// The masks of chunks in which nothing changed.
    let unchanged: UnsafeMutablePointer<UInt64>

    /// Starts from `graph`, which is the one of `parent` if there is a parent.
    init(_ graph: Graph, rows: RowAllocator, parent: Transaction? = nil) {
        self.parent = parent
        parentDenials = parent?.knownDenials ?? DeniedDeletes()
        current = graph
        recorder = ChangeRecorder(graph)
        suppliedRows = SuppliedRows(from: rows, tables: graph.tables.count)
        layout = graph.layout
        entityTables = graph.layout.entityTables
        traits = graph.layout.tables.map { TableTraits($0, in: graph.layout) }
        observations = RowObservations(tables: entityTables.count)
        unchanged = .allocate(capacity: ChunkLayout.rows)
        unchanged.initialize(repeating: 0, count: ChunkLayout.rows)
        token = .allocate(capacity: 1)
        token.initialize(to: Self.makeToken())
        current.writer = token.pointee
        access = .allocate(capacity: graph.tables.count)
        for table in graph.tables.tableNumbers {
            (access + table.index).initialize(
                to: TableAccess(
                    graph.layout.tables[table], of: self, token: token,
                    unchanged: unchanged))
            access[table].grow(
                to: graph.tables[table].chunkCount, of: graph.tables[table])
            access[table].refreshIndexes(from: graph.tables[table])
        }
    }

    deinit {
        for table in current.tables.tableNumbers {
            access[table].deallocate()
        }
        access.deallocate()
        token.deallocate()
        unchanged.deallocate()
    }

    /// The graph as of the last call of `takeChanges`.
    var base: Graph { recorder.base }

    /// How often the graph was looked at or replaced; another number means that it may differ.
    var version: Int { recorder.version }

    private static let tokens = Atomic<UInt64>(1)

    /// A token that no chunk carries yet.
    static func makeToken() -> UInt64 {
        tokens.wrappingAdd(1, ordering: .relaxed).oldValue
    }

    /// The graph with all changes made so far; only this transaction may look at it.
    var graph: Graph {
        if !waiting.isEmpty { catchUp() }
        return current
    }

    /// The graph as it is now, for anybody to read.
    ///
    /// - Complexity: O(1).
    func freeze() -> Graph {
        if !waiting.isEmpty { catchUp() }
        renewToken()
        return current
    }

    @inline(never)
    private func catchUp() {
        if waiting.hasEntries { enterPending() }
        joinNewcomer()
    }

    /// Takes a token that no chunk carries: the chunks there are will not be written again.
    private func renewToken() {
        token.pointee = Self.makeToken()
        current.writer = token.pointee
    }

    /// Drops all changes and starts again from `graph`.
    func reset(to graph: Graph) {
        for table in entityTables {
            access[table].clearNotes()
            access[table].dropPending()
        }
        waiting = WaitingRows()
        denials = DeniedDeletes()
        parentDenials = parent?.knownDenials ?? DeniedDeletes()
        let old = current
        current = graph
        renewToken()
        recorder.restart(with: graph)
        for table in graph.tables.tableNumbers {
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
        recorder.base.lifetime = lifetime
    }
}
