import Synchronization

/// A private, writable graph that began as a copy of another.
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
    @exclusivity(unchecked) private var current: Graph
    /// Whether rows wait to be entered into the indexes of unique attributes.
    @exclusivity(unchecked) var hasPendingEntries = false
    /// The row that was inserted last, if it waits to be entered into the other indexes of its table:
    /// most likely it gets its values first, and need not be moved there for each.
    ///
    /// Looking at the graph ends the wait, so no write does that halfway.
    @exclusivity(unchecked) private var newcomer: (row: Int32, table: Int) = (noRow, 0)
    /// The graph as of the last call of `takeChanges`.
    private(set) var base: Graph
    /// How often the graph was looked at or replaced; another number means that it may differ.
    private(set) var version = 0
    /// The addresses of the rows of each table.
    let access: UnsafeMutablePointer<TableAccess>
    private let token: UnsafeMutablePointer<UInt64>
    let rows: RowAllocator
    /// The rows that this transaction has from the allocator, or from those of child contexts.
    @exclusivity(unchecked) var suppliedRows: SuppliedRows
    /// How the graph is laid out, which looking at the graph for would end the wait of rows.
    let layout: GraphLayout
    /// The number of tables that hold objects; the others hold edges.
    let entityCount: Int
    /// The column of each table that says which rows exist.
    private let presence: [Int]
    /// The column of each table that says of which kind rows are; negative without one.
    private let kinds: [Int]
    /// For each table whether new rows hold a value in a unique attribute already.
    private let hasUniqueDefaults: [Bool]
    /// For each table whether it has indexes, or derived attributes, that new rows have to join.
    private let isJoined: [Bool]
    /// For each table the columns of blobs.
    private let blobColumns: [[Int]]
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

    /// The owner of chunks that only calls of this transaction may write, not the shortcut of the
    /// accessors: those of columns that an index or a derived attribute must follow, or of blobs.
    private static func guarded(_ token: UInt64) -> UInt64 { token | 1 << 63 }

    /// Whether the transaction of a token may write a chunk as it lies.
    static func mayWrite(_ block: UnsafeMutableRawPointer, token: UInt64) -> Bool {
        block.chunkOwner | 1 << 63 == guarded(token)
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

    // MARK: - Rows

    /// Whether a row exists.
    func contains(_ row: Int32, in table: Int) -> Bool {
        access[table].contains(Int(row))
    }

    /// A new row of a kind that holds the defaults.
    @inline(__always)
    func insert(into table: Int, kind: Int32 = 0) -> Int32 {
        let use = rows.next(in: table)
        suppliedRows.fresh[table].append(use)
        if use.generation > 0 { renew(use, in: table) }
        insert(use.row, into: table, kind: kind)
        return use.row
    }

    /// Makes a row of the given number and kind exist, with the defaults; it must not exist yet.
    func insert(_ row: Int32, into table: Int, kind: Int32) {
        insert(row, into: table)
        guard table < entityCount, kinds[table] >= 0 else { return }
        setReference(row, kinds[table], in: table, to: kind)
        for (slot, value) in layout.tables[table].defaults[Int(kind)] {
            write(value, row, slot, in: table)
        }
    }

    private func insert(_ row: Int32, into table: Int) {
        makePresent(row, in: table)
        guard table < entityCount else { return }
        if hasUniqueDefaults[table] {
            for slot in layout.tables[table].uniqueSlots {
                enterIntoIndex(row, slot, in: table)
            }
        }
        if isJoined(table) {
            joinNewcomer()
            newcomer = (row, table)
            publishAll(of: row, in: table)
        }
        note([.inserted, .all], row, in: table)
    }

    /// Whether a row is still to be entered into the indexes of its table.
    @inline(__always)
    func isNewcomer(_ row: Int32, in table: Int) -> Bool {
        newcomer.row == row && newcomer.table == table
    }

    /// Enters the row that was inserted last into the indexes of its table.
    private func joinNewcomer() {
        let (row, table) = newcomer
        guard row != noRow else { return }
        newcomer.row = noRow
        joinIndexes(row, in: table)
    }

    /// Makes a row exist, and nothing else.
    @inline(__always)
    func makePresent(_ row: Int32, in table: Int) {
        makeRoom(for: row, in: table)
        setPresent(true, row, in: table)
        current.tables[table].noteRow(row)
    }

    /// Makes room for rows up to one, so that their chunks can be written.
    @inline(__always)
    func makeRoom(for row: Int32, in table: Int) {
        let chunk = Int(row) >> ChunkLayout.shift
        if chunk >= access[table].chunkCapacity {
            access[table].grow(to: chunk + 1, of: current.tables[table])
        }
    }

    /// The column of a table that says of which kind rows are; `nil` without one.
    func kindColumn(of table: Int) -> Int? { kinds[table] < 0 ? nil : kinds[table] }

    /// Whether a table has indexes, or derived attributes, that new rows have to join.
    func isJoined(_ table: Int) -> Bool { isJoined[table] }

    /// Which of a table's entities a row is an object of; negative for a row that never existed.
    func kind(_ row: Int32, in table: Int) -> Int32 {
        kinds[table] < 0 ? 0 : reference(row, kinds[table], in: table)
    }

    /// How often a row was used before the object whose row it is, or was last.
    func generation(_ row: Int32, in table: Int) -> Int32 {
        guard current.tables[table].highestGeneration > 0,
            Int(row) >> ChunkLayout.shift < access[table].chunkCapacity
        else { return 0 }
        return reference(row, presence[table], in: table).generation
    }

    /// Says how often a row was used before its object.
    func setGeneration(_ generation: Int32, of row: Int32, in table: Int) {
        guard generation != self.generation(row, in: table) else { return }
        writableBlock(row, presence[table], in: table)
            .elements(of: Int32.self)[Int(row) & ChunkLayout.mask] = Int32(generation: generation)
        current.tables[table].highestGeneration = max(
            current.tables[table].highestGeneration, generation)
    }

    /// The number by which the object whose row this is, or was last, is known outside.
    func number(of row: Int32, in table: Int) -> Int64 {
        current.tables[table].numbers
            .number(of: row, generation: generation(row, in: table))
    }

    /// The row of the object of a number, whether it lives or not; `nil` where it can't be there.
    func row(of number: Int64, in table: Int) -> Int32? {
        guard let (row, generation) = current.tables[table].numbers.place(of: number),
            generation == self.generation(row, in: table)
        else { return nil }
        return row
    }

    /// Makes a row of the given number and kind exist, as nobody's own: whatever it holds is to be written.
    ///
    /// It may have existed before, in this transaction too, and then holds what it held last.
    func revive(_ row: Int32, in table: Int, kind: Int32, generation: Int32 = 0) {
        if generation > 0 {
            renew(RowAllocator.Use(row: row, generation: generation), in: table)
        }
        insert(row, into: table)
        if kinds[table] >= 0 { setReference(row, kinds[table], in: table, to: kind) }
        for slot in layout.tables[table].uniqueSlots where !hasUniqueDefaults[table] {
            enterIntoIndex(row, slot, in: table)
        }
        guard table < entityCount else { return }
        access[table].replaceNote(
            of: row, with: base.contains(row, in: table) ? .all : [.inserted, .all])
    }

    /// Makes a row cease to exist; its links are gone already, its values stay readable, but for blobs,
    /// whose files would stay too.
    func remove(_ row: Int32, from table: Int) {
        for slot in layout.tables[table].uniqueSlots where table < entityCount {
            removeFromIndex(row, slot, in: table)
        }
        if isNewcomer(row, in: table) {
            newcomer.row = noRow
        } else if isJoined(table) {
            leaveIndexes(row, in: table)
        }
        for column in blobColumns[table] { dropBlob(row, column, in: table) }
        setPresent(false, row, in: table)
        current.tables[table].count -= 1
        guard table < entityCount else { return }
        let mask = access[table].changes(of: row)
        note(.deleted, row, in: table)
        access[table].replaceNote(
            of: row, with: mask.contains(.inserted) ? [.inserted, .deleted] : .deleted)
    }

    private func dropBlob(_ row: Int32, _ column: Int, in table: Int) {
        let offset = Int(row) & ChunkLayout.mask
        guard block(row, column, in: table).isValid(at: offset) else { return }
        let block = writableBlock(row, column, in: table)
        block.elements(of: Blob.self)[offset] = .unset
        block.setValid(false, at: offset)
    }

    private func setPresent(_ isPresent: Bool, _ row: Int32, in table: Int) {
        writableBlock(row, presence[table], in: table)
            .setValid(isPresent, at: Int(row) & ChunkLayout.mask)
    }

    /// Gives the rows of a table the numbers by which they are known outside.
    func setNumbers(_ numbers: RowNumbers, in table: Int) {
        current.tables[table].numbers = numbers
        base.tables[table].numbers = numbers
    }

    // MARK: - Edges

    /// A row of an edge table, one that was freed before if there is any.
    func insertEdge(into table: Int) -> Int32 {
        let free = current.tables[table].firstFreeEdge
        let row = free >= 0 ? free : Int32(current.tables[table].upperBound)
        if free >= 0 { current.tables[table].firstFreeEdge = reference(free, 0, in: table) }
        insert(row, into: table)
        return row
    }

    /// Frees a row of an edge table.
    func removeEdge(_ row: Int32, from table: Int) {
        remove(row, from: table)
        setReference(row, 0, in: table, to: current.tables[table].firstFreeEdge)
        current.tables[table].firstFreeEdge = row
    }

    // MARK: - Blocks

    /// The block in which a row's element of a column lies.
    @inline(__always)
    func block(_ row: Int32, _ column: Int, in table: Int) -> UnsafeMutableRawPointer {
        access[table].columns[column][Int(row) &>> ChunkLayout.shift]
    }

    /// The same block, made writable.
    @inline(__always)
    func writableBlock(_ row: Int32, _ column: Int, in table: Int) -> UnsafeMutableRawPointer {
        let block = block(row, column, in: table)
        return block.chunkOwner == token.pointee ? block : ownedBlock(row, column, in: table)
    }

    @inline(never)
    private func ownedBlock(
        _ row: Int32, _ column: Int, in table: Int
    ) -> UnsafeMutableRawPointer {
        let chunk = Int(row) >> ChunkLayout.shift
        let block = access[table].columns[column][chunk]
        let owner = owner(ofChunksOf: column, in: table)
        if block.chunkOwner == owner { return block }
        let copy = current.tables[table].columns[column].writableBlock(chunk, token: owner)
        access[table].columns[column][chunk] = copy
        return copy
    }

    /// The owner of the chunks of a column that this transaction makes.
    private func owner(ofChunksOf column: Int, in table: Int) -> UInt64 {
        let traits = access[table].traits[column]
        let isGuarded =
            (traits.index >= 0 || traits.followers != nil || traits.isObserved
                || traits.kind == .blob) && table < entityCount
        return isGuarded ? Self.guarded(token.pointee) : token.pointee
    }

    /// The token under which this transaction writes now.
    var currentToken: UInt64 { token.pointee }

    /// A chunk that this transaction may write, with what a chunk of a column holds, in whose place it
    /// comes when it is adopted.
    ///
    /// Several threads may make chunks at a time, while the transaction rests.
    func makeChunk(_ chunk: Int, _ column: Int, in table: Int) -> Chunk {
        Chunk(
            owner: owner(ofChunksOf: column, in: table),
            copying: current.tables[table].columns[column].chunk(chunk))
    }

    /// Makes what a filler filled part of the graph.
    func adopt(_ filled: FilledChunk) {
        let table = filled.table
        for (column, chunk) in filled.columns {
            current.tables[table].columns[column]
                .put(chunk, at: filled.chunk, token: chunk.block.chunkOwner)
            access[table].columns[column][filled.chunk] = chunk.block
        }
        current.tables[table].noteRows(filled.count, below: filled.upperBound)
    }

    /// What a reference column holds at a row.
    @inline(__always)
    func reference(_ row: Int32, _ column: Int, in table: Int) -> Int32 {
        block(row, column, in: table).elements(of: Int32.self)[Int(row) & ChunkLayout.mask]
    }

    /// Writes a reference column at a row.
    func setReference(_ row: Int32, _ column: Int, in table: Int, to target: Int32) {
        if reference(row, column, in: table) == target { return }
        let block = writableBlock(row, column, in: table)
        block.elements(of: Int32.self)[Int(row) & ChunkLayout.mask] = target
        block.setValid(target >= 0, at: Int(row) & ChunkLayout.mask)
    }

    // MARK: - Unique indexes

    /// Runs `body` on an index and gives it the token to write it with.
    func updateIndex<Result>(
        _ index: Int, of table: Int, _ body: (inout HashIndex, UInt64) -> Result
    ) -> Result {
        func update(_ hashIndex: inout HashIndex) -> Result {
            defer { access[table].indexes[index] = hashIndex.reader }
            return body(&hashIndex, token.pointee)
        }
        return update(&current.tables[table].uniqueIndexes[index])
    }

    /// Puts an index in the place of one.
    func put(_ index: HashIndex, at number: Int, of table: Int) {
        updateIndex(number, of: table) { current, _ in current = index }
    }

    /// Runs `body` on an ordered index and gives it the token to write it with.
    func updateOrderedIndex(
        _ number: Int, of table: Int, _ body: (inout OrderedIndex, UInt64) -> Void
    ) {
        body(&current.tables[table].orderedIndexes[number], token.pointee)
    }

    /// Runs `body` on an index of words and gives it the token to write it with.
    func updateWordIndex(
        _ number: Int, of table: Int, _ body: (inout OrderedIndex, UInt64) -> Void
    ) {
        body(&current.tables[table].wordIndexes[number], token.pointee)
    }

    /// An index of members' values, for which no row waits.
    func memberIndex(_ number: Int, of table: Int) -> OrderedIndex {
        current.tables[table].memberIndexes[number]
    }

    /// Runs `body` on an index of members' values and gives it the token to write it with.
    func updateMemberIndex(
        _ number: Int, of table: Int, _ body: (inout OrderedIndex, UInt64) -> Void
    ) {
        body(&current.tables[table].memberIndexes[number], token.pointee)
    }

    /// The places of an ordered list's members, for which none waits.
    func places(_ order: ListOrder, of members: Int) -> OrderedIndex {
        current.tables[members].listOrders[order.index]
    }

    /// Runs `body` on the places of an ordered list's members and gives it the token to write them
    /// with.
    func updateOrder<Result>(
        _ order: ListOrder, of members: Int, _ body: (inout OrderedIndex, UInt64) -> Result
    ) -> Result {
        body(&current.tables[members].listOrders[order.index], token.pointee)
    }

    // MARK: - Notes

    /// Notes that a row changed.
    @inline(__always)
    func note(_ mask: PropertyMask, _ row: Int32, in table: Int) {
        access[table].note(mask, row)
        if isWatched { noteWatched(mask, row, in: table) }
    }

    /// Whether anything was noted since the last call of `takeChanges`, even if it came to nothing.
    var hasNotes: Bool { (0..<entityCount).contains { access[$0].notedCount > 0 } }

    /// Whether a row that was noted since the last call of `takeChanges` is not as it was in `before`.
    ///
    /// - Complexity: O(k) for k noted rows whose changes came to nothing.
    func hasChanges(since before: Graph) -> Bool {
        (0..<entityCount).contains { table in
            access[table].notedRows.contains { row in
                let mask = access[table].changes(of: row)
                return graph.isChanged(row, among: mask, since: before, in: table)
            }
        }
    }

    /// All changes since the last call, without those that came to nothing.
    ///
    /// - Complexity: O(k) for k changed rows.
    func takeChanges() -> ChangeSet {
        let after = freeze()
        version &+= 1
        isFirstNoteTold = false
        var tables = Array(repeating: TableChanges(), count: entityCount)
        for table in 0..<entityCount where access[table].notedCount > 0 {
            tables[table] = netChanges(in: table, to: after)
            access[table].clearNotes()
        }
        defer { base = after }
        return ChangeSet(before: base, after: after, tables: tables)
    }

    /// What is left of the changes that are noted in a table, without those that came to nothing.
    private func netChanges(in table: Int, to after: Graph) -> TableChanges {
        // Looked at once: the property would be copied for each row.
        let before = base
        var net = TableChanges()
        for row in access[table].notedRows {
            let mask = access[table].changes(of: row)
            switch (mask.contains(.inserted), mask.contains(.deleted)) {
            case (true, true): break
            case (true, false): net.inserted.append(row)
            case (false, true): net.deleted.append(row)
            case (false, false):
                // A row that went in an earlier batch is noted when a link goes that a rule had kept.
                guard after.contains(row, in: table) else { break }
                let changes = after.changes(from: before, row, among: mask, in: table)
                if !changes.isEmpty {
                    net.updated.append(RowUpdate(row: row, changes: changes))
                }
            }
        }
        return net
    }
}
