/// What a context is, for as long as somebody holds the context or one of its objects.
///
/// An object keeps the state of its context alive, and the state keeps objects that were asked for of late. That
/// is no cycle, for it keeps them only while somebody holds the context itself: a context is made anew for who
/// asks an object for it later.
final class ContextState {
    let store: GraphStore
    let transaction: Transaction
    @exclusivity(unchecked) var tables = ObjectTables([])
    /// What the context forked.
    var fork: ContextFork
    /// Who forked the context.
    var children = ChildForks()
    /// What was changed since the last save.
    var unsaved: UnsavedWork
    /// What can be taken back.
    var undoStack = UndoStack()
    /// The rows of objects that are gone but have handles, by table; none is empty.
    var heldRows: [TableNumber: Set<Row>] = [:]
    /// Those of them whose objects the context keeps, until it is done with what it does.
    var lostRows: ContiguousArray<RowAddress> = []
    /// Which hooks of objects are being called.
    let hooks: UnsafeMutablePointer<HookCalls>
    /// Who hears of changes.
    let listeners: ContextListeners
    /// Lets live results hear of the time.
    let alarms: ContextAlarms
    /// How many objects of a class are kept while somebody holds the context.
    var keptObjectLimit = KeptObjects.defaultLimit {
        didSet { if held != nil { keep(keptObjectLimit) } }
    }
    /// How many handles there are: the state stays as long as there are any.
    ///
    /// Counted here and not as references, which are counted for several threads: a context and its objects
    /// are used on one at a time.
    let handleCount: UnsafeMutablePointer<Int>
    /// The context that somebody holds, if anybody does.
    ///
    /// Weak: it may be released on another thread than that of its objects, which then get a new one.
    private weak var held: ManagedObjectContext?

    init(
        _ store: GraphStore, _ origin: ContextFork.Origin, showing head: CommittedGraph,
        _ turns: ContextTurns?
    ) {
        self.store = store
        fork = ContextFork(of: origin, showing: head)
        unsaved = UnsavedWork(tables: head.graph.layout.entityTables.count)
        listeners = ContextListeners(turns)
        alarms = ContextAlarms(now: store.now, clock: store.clock, turns)
        hooks = .allocate(capacity: 1)
        hooks.initialize(to: HookCalls())
        handleCount = .allocate(capacity: 1)
        handleCount.initialize(to: 0)
        transaction = Transaction(
            head.graph, rows: store.rows, parent: fork.parent?.transaction)
        tables = ObjectTables(
            ObjectTable.tables(of: store.model, transaction: transaction, state: self))
        turns?.state = self
    }

    deinit {
        // One after another, and not each inside the one before: there may be a chain of many parents.
        var following = endFork()
        while isKnownUniquelyReferenced(&following) { following = following?.endFork() }
        hooks.deinitialize(count: 1)
        hooks.deallocate()
        handleCount.deallocate()
    }

    /// The context: the one that somebody holds, or a new one.
    var context: ManagedObjectContext {
        held ?? ManagedObjectContext(self)
    }

    /// Begins the life of the context.
    func begin(_ context: ManagedObjectContext) {
        held = context
        keep(keptObjectLimit)
    }

    /// Ends the life of the context, which nobody holds any more.
    func end() {
        // Somebody may have asked an object for the context meanwhile.
        guard held == nil else { return }
        keep(0)
        // An object that ended with it may have asked for the context.
        if held != nil { keep(keptObjectLimit) }
    }

    private func keep(_ limit: Int) {
        for table in tables { table.kept.setLimit(limit) }
    }

    /// Gives up what the context has of others', now that nobody can reach it any more; returns the state of its parent.
    private func endFork() -> ContextState? {
        giveUpAllRows()
        return fork.end()
    }

    /// Gives up all rows: a parent has taken those already that were saved to it.
    private func giveUpAllRows() {
        guard !transaction.suppliedRows.isEmpty else { return }
        transaction.suppliedRows.giveBackCleared()
        let given = transaction.suppliedRows.giveUpAll(savedIn: fork.committed.graph)
        store.retire(given.fresh, releasing: given.reclaimed)
    }
}

extension ManagedObjectContext {
    var transaction: Transaction { state.transaction }

    var fork: ContextFork {
        get { state.fork }
        _modify { yield &state.fork }
    }

    var children: ChildForks {
        get { state.children }
        _modify { yield &state.children }
    }

    var unsaved: UnsavedWork {
        get { state.unsaved }
        _modify { yield &state.unsaved }
    }

    var undoStack: UndoStack {
        get { state.undoStack }
        _modify { yield &state.undoStack }
    }

    var hooks: UnsafeMutablePointer<HookCalls> { state.hooks }

    var listeners: ContextListeners { state.listeners }

    var alarms: ContextAlarms { state.alarms }
}
