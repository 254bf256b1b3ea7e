import PlacesBase

/// A scratchpad over a store: objects, their changes, and the way to save or drop them.
///
/// ```swift
/// let context = ManagedObjectContext(store)
/// let photo = Photo(context: context)
/// photo.takenAt = try context.findOrInsert(Place.self, \.name, "Paris")
/// try context.save()
/// ```
///
/// - A context is a fork of the store's graph; making one is cheap. It sees its own changes at once
///   and those of others after `save`, `rollback` or `refreshAllObjects`; on an actor, by itself.
/// - It is not `Sendable`: the compiler keeps it, and its objects, in one isolation.
public final class ManagedObjectContext {
    /// The store that the context reads from and saves to.
    public let store: GraphStore
    /// The context that this one is a scratchpad of, and saves to, if any.
    public let parent: ManagedObjectContext?
    /// Who makes the changes, for the store's history.
    public var transactionAuthor: String?
    let transaction: Transaction
    /// The tables of the classes, by the numbers of their entities.
    ///
    /// That of a graph's table number is the one of the class on top of the hierarchy in it.
    private(set) var tables: [ObjectTable] = []
    /// The table that was last inserted into: most likely the next one too.
    @exclusivity(unchecked) private var lastTable: Unmanaged<ObjectTable>?
    @exclusivity(unchecked) var uniqueLookups = UniqueLookups()
    /// The store's graph as of the last save, rollback or refresh.
    var committed: CommittedGraph {
        didSet {
            if let fork { store.move(fork, to: committed.number) }
            holdRows(retiredSince: oldValue.graph.lifetime)
        }
    }
    /// The token by which the store knows what this context is based on; `nil` in a child.
    private let fork: Int?
    /// What changed since, as far as it was processed.
    var pending = PendingChanges()
    /// Changes that were processed, and that listeners do not know yet.
    var batches: [ChangeSet] = []
    /// Which hooks of objects are being called.
    let hooks: UnsafeMutablePointer<HookCalls>
    /// What a save does where another context changed the same first.
    public var mergePolicy = MergePolicy.error
    /// Whether anything was saved.
    var hasSaved = false
    /// Conflicts of the changes with what others saved, for the next save to settle.
    var unsettled: [ChangeSet.Conflict: UnsettledConflict] = [:]
    /// The rows of each table that others must not have written when this context saves.
    var reliedOn: [Set<Int32>]
    /// Changes that could not be made; the next save throws the first.
    private(set) var mistakes: [ContextError] = []
    /// Who hears of changes.
    let listeners = ContextListeners()
    /// Lets changes be processed when the turn of the context's actor ends.
    var turns: AsyncStream<Void>.Continuation?
    /// Called when they were processed.
    var onTurnEnd: (() -> Void)?
    /// Lets live results hear of the time.
    let alarms: ContextAlarms
    /// What others keep with the context, one of each type.
    private var companions: [ObjectIdentifier: AnyObject] = [:]

    /// What can be taken back.
    var undoStack = UndoStack()
    /// Whether what others save shows here by itself.
    var mergesAutomatically = false
    /// The token of the listener to the store, or to the parent.
    var storeListener: Int?
    var parentListener: Int?
    /// Whether the parent is being changed by this context.
    var isPushing = false
    /// How many children there are, and what changed of what they fork, by the transaction's version.
    var childCount = 0
    var shownChanges = RecentChanges(after: 0)

    /// Makes a context over the store's current graph.
    ///
    /// A context that is made on an actor is used there: its objects are ``isObservable``, it processes
    /// pending changes by itself when a turn of the actor ends, and merges what others save.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - isolation: The actor on which the context is used: that of the caller.
    public convenience init(
        _ store: GraphStore, isolation: isolated (any Actor)? = #isolation
    ) {
        let (head, fork) = store.fork()
        self.init(store, parent: nil, showing: head, fork: fork)
        processChangesAfterTurns(of: isolation)
        isObservable = isolation != nil
        observeStore(isolation: isolation)
    }

    /// Makes a scratchpad over what another context shows now, its unsaved changes included.
    ///
    /// A save makes the changes pending ones of the parent; a child that goes unsaved leaves no trace.
    /// An object has the same identity in both.
    ///
    /// - Parameters:
    ///   - parent: A context of the same isolation.
    ///   - isolation: The actor on which both are used: that of the caller.
    public convenience init(
        parent: ManagedObjectContext, isolation: isolated (any Actor)? = #isolation
    ) {
        parent.processPendingChanges()
        parent.countChild(1)
        self.init(parent.store, parent: parent, showing: parent.shown, fork: nil)
        processChangesAfterTurns(of: isolation)
        isObservable = isolation != nil
        observeParent()
    }

    private init(
        _ store: GraphStore, parent: ManagedObjectContext?, showing committed: CommittedGraph,
        fork: Int?
    ) {
        self.store = store
        self.parent = parent
        self.committed = committed
        self.fork = fork
        reliedOn = Array(repeating: [], count: committed.graph.layout.entityCount)
        alarms = ContextAlarms(now: store.now, clock: store.clock)
        hooks = .allocate(capacity: 1)
        hooks.initialize(to: HookCalls())
        transaction = Transaction(committed.graph, rows: store.rows)
        tables = ObjectTable.tables(of: store.model, transaction: transaction, context: self)
        for table in tables { table.connect(to: tables) }
    }

    deinit {
        giveUpAllRows()
        if let fork { store.remove(fork) }
        parent?.countChild(-1)
        if let storeListener { store.removeListener(storeListener) }
        if let parentListener { parent?.removeListener(parentListener) }
        turns?.finish()
        hooks.deinitialize(count: 1)
        hooks.deallocate()
    }

    // MARK: - Tables

    /// The table of a class.
    func table(of type: ManagedObject.Type) throws(ContextError) -> ObjectTable {
        guard let number = store.model.number(of: type) else {
            throw .unknownClass(String(describing: type))
        }
        return tables[number]
    }

    /// A new row of a class, for the handle that is about to be made.
    func insertionSeed(for type: ManagedObject.Type) -> ObjectSeed {
        if let lastTable {
            let seed = lastTable._withUnsafeGuaranteedRef { table in
                table.type == type ? table.seed(table.insertRow()) : nil
            }
            if let seed { return seed }
        }
        guard let number = store.model.number(of: type) else {
            mistake(ContextError.unknownClass(String(describing: type)).description)
        }
        lastTable = .passUnretained(tables[number])
        return tables[number].seed(tables[number].insertRow())
    }

    /// The object of a type that is kept with the context, made if there is none.
    func companion<Companion: AnyObject>(make: () -> Companion) -> Companion {
        let key = ObjectIdentifier(Companion.self)
        if let known = companions[key] as? Companion { return known }
        let made = make()
        companions[key] = made
        return made
    }

    // MARK: - Mistakes

    /// Remembers a change that could not be made.
    func note(_ mistake: ContextError) { mistakes.append(mistake) }

    /// Forgets the changes that could not be made.
    func forgetMistakes() { mistakes.removeAll() }

    // MARK: - Changes

    /// Whether anything was inserted, changed or deleted since the last save.
    ///
    /// What came and went, or was changed and changed back, does not count; what others wrote too, and
    /// was merged, does until a save settles it.
    public var hasChanges: Bool {
        !unsettled.isEmpty
            || transaction.hasChanges(since: saved) || pending.areVisible(in: transaction.graph)
    }

    /// Tells results controllers and other listeners of the changes made since the last call.
    ///
    /// Results that change with the time alone do so now too, where they are due.
    ///
    /// `save`, `rollback` and `refreshAllObjects` tell of changes too. While `willSave`, `validate` or `didSave`
    /// is being called it waits for the save to do so.
    public func processPendingChanges() {
        guard !hooks.pointee.isValidating else { return }
        if transaction.hasNotes { gatherChanges() }
        guard !hooks.pointee.isSaving else { return }
        tellBatches()
        // Whoever hears of a change hears of the time with it, in order.
        guard !listeners.isTelling else { return }
        for token in alarms.takeDue() { listeners.whenTold { [alarms] in alarms.ring(token) } }
        alarms.sleepUntilFirst(turns)
    }

    /// All changes since the last save, those made by listeners of late among them.
    func allChanges() -> ChangeSet {
        if transaction.hasNotes { gatherChanges() }
        if let changes = pending.all { return changes }
        return addPending(transaction.takeChanges())
    }

    /// Makes a batch of what changed since the last one.
    func gatherChanges() {
        let changes = addPending(transaction.takeChanges())
        batches.append(changes)
        undoStack.register(changes, of: store.rows)
    }

    /// Counts changes among those since the last save.
    @discardableResult
    func addPending(_ changes: ChangeSet) -> ChangeSet {
        noteShown(changes)
        pending.append(changes)
        return changes
    }

    /// Tells listeners of what was processed, as of one change.
    func tellBatches() {
        guard let first = batches.first else { return }
        let changes = batches.dropFirst().reduce(first) { $0.merging($1) }
        batches = []
        // An observer may change something itself, of which listeners shall hear after this.
        tellListeners(changes, as: .didChange)
        transaction.observations.tell()
    }

    /// The graph as listeners know it.
    var told: Graph { batches.first?.before ?? transaction.base }

    /// Tells listeners, and whoever observes single objects, of changes that no accessor made.
    func tell(_ changes: @autoclosure () -> ChangeSet, as kind: ContextChange.Kind = .didChange) {
        guard !listeners.isEmpty || transaction.isObserved else { return }
        let changes = changes()
        tellListeners(changes, as: kind)
        transaction.observations.tell(changes)
    }

    /// Tells listeners of changes, if there are any of either.
    func tellListeners(_ changes: ChangeSet, as kind: ContextChange.Kind) {
        guard !listeners.isEmpty, !changes.isEmpty else { return }
        listeners.tell(ContextChange(kind: kind, objects: ObjectChanges(changes: changes)))
    }

    /// Calls `body` for everything that happens, until the token is removed.
    func addChangeListener(_ body: @escaping (ContextChange) -> Void) -> Int {
        announceChanges()
        return listeners.add(body)
    }

    /// Calls `body` for every batch of changes, until the token is removed.
    func addListener(_ body: @escaping (ChangeSet) -> Void) -> Int {
        addChangeListener { change in
            if change.kind != .didSave { body(change.objects.changes) }
        }
    }

    /// Calls the listener of a token no more.
    func removeListener(_ token: Int) { listeners.remove(token) }
}

@available(*, unavailable)
extension ManagedObjectContext: Sendable {}
