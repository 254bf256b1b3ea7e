import PlacesBase

/// A private workspace over a store: it holds objects and their changes until you save them.
///
/// ```swift
/// let context = ManagedObjectContext(store)
/// let photo = Photo(context: context)
/// photo.takenAt = try context.findOrInsert(Place.self, \.name, "Paris")
/// try context.save()
/// ```
///
/// - A context is a fork of the store's graph, and cheap to make. It shows its own changes at once.
///   It shows those of others after a `save` of changes, `rollback` or `refreshAllObjects`; on an actor
///   it merges them by itself.
/// - It is not `Sendable`: the compiler keeps it and its objects in one isolation.
public final class ManagedObjectContext {
    let state: ContextState

    /// The store that the context reads from and saves to.
    public var store: GraphStore { state.store }

    /// The context from which this one was made and to which it saves, if any.
    public var parent: ManagedObjectContext? { fork.parent }

    /// The author of the changes, for the store's history.
    public var transactionAuthor: String? {
        get { fork.author }
        set { fork.author = newValue }
    }

    /// How a save settles conflicts with changes that others saved first.
    public var mergePolicy: MergePolicy {
        get { fork.mergePolicy }
        set { fork.mergePolicy = newValue }
    }

    /// Makes a context over the store's current graph.
    ///
    /// On an actor the context makes its objects ``isObservable``, processes pending changes by
    /// itself when a turn of the actor ends, and merges what others save.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - isolation: The actor on which the context is used: the caller's.
    public convenience init(
        _ store: GraphStore, isolation: isolated (any Actor)? = #isolation
    ) {
        let (head, token) = store.fork()
        self.init(store, .store(store, token: token), showing: head, ContextTurns(of: isolation))
        isObservable = isolation != nil
        observeStore()
    }

    /// Makes a child context of what another context shows now, unsaved changes included.
    ///
    /// A save turns the changes into pending changes of the parent. If you never save the child, it
    /// leaves no trace. An object has the same identity in both contexts.
    ///
    /// - Parameters:
    ///   - parent: A context of the same isolation.
    ///   - isolation: The actor on which both are used: the caller's.
    public convenience init(
        parent: ManagedObjectContext, isolation: isolated (any Actor)? = #isolation
    ) {
        parent.processPendingChanges()
        parent.children.add(showing: parent.transaction.version)
        self.init(parent.store, .parent(parent), showing: parent.shown, ContextTurns(of: isolation))
        isObservable = isolation != nil
        observeParent()
    }

    private convenience init(
        _ store: GraphStore, _ origin: ContextFork.Origin, showing head: CommittedGraph,
        _ turns: ContextTurns?
    ) {
        self.init(ContextState(store, origin, showing: head, turns))
    }

    /// Makes the context of a state that has none.
    init(_ state: ContextState) {
        self.state = state
        state.begin(self)
    }

    deinit {
        guard let turns = state.listeners.turns else { return state.end() }
        turns.finish { [state] in state.end() }
    }

    // MARK: - Tables

    /// The table of a class.
    func table(of type: ManagedObject.Type) throws(ContextError) -> ObjectTable {
        guard let number = store.model.number(of: type) else {
            throw .unknownClass(String(describing: type))
        }
        return state.tables[number]
    }

    /// A new row of a class, for the handle that is about to be made.
    func insertionSeed(for type: ManagedObject.Type) -> ObjectSeed {
        guard let table = state.tables.table(insertedInto: type, of: store.model) else {
            mistake(ContextError.unknownClass(String(describing: type)).description)
        }
        return table._withUnsafeGuaranteedRef { $0.seed($0.insertRow()) }
    }

    /// Remembers a change that could not be made, if it is the first.
    func note(_ mistake: ContextError) {
        if case nil = state.unsaved.mistake { unsaved.mistake = mistake }
    }

    // MARK: - Changes

    /// Whether the context differs from the last save.
    ///
    /// Objects that were inserted and deleted again, and values that were changed and changed back,
    /// do not count. A change that others made too and that was merged counts until a save settles
    /// it.
    public var hasChanges: Bool {
        !unsaved.bases.conflicts.isEmpty || transaction.hasChanges(since: saved)
            || unsaved.changes.areVisible(in: transaction.graph)
    }

    /// Notifies results controllers and other listeners of the changes since the last call.
    ///
    /// It also updates results that change with the time alone, if they are due.
    ///
    /// `save`, `rollback` and `refreshAllObjects` notify of changes too. If you call this inside
    /// `willSave`, `validate` or `didSave`, the save does it later; inside the closure of a derived attribute it
    /// does nothing.
    public func processPendingChanges() {
        guard !isHeld else { return }
        gatherChanges()
        guard hooks.pointee.asking == nil else { return }
        tellBatches()
        // Whoever hears of a change hears of the time with it, in order.
        guard !listeners.isTelling else { return }
        for token in alarms.takeDue() { listeners.whenTold { [alarms] in alarms.ring(token) } }
        alarms.sleepUntilFirst()
    }

    /// All changes since the last save, those made by listeners of late among them.
    func allChanges() -> ChangeSet {
        gatherChanges()
        if let changes = unsaved.changes.all { return changes }
        let changes = takeChanges()
        unsaved.changes.append(changes)
        return changes
    }

    /// Makes a batch of what changed since the last one, if anything did.
    func gatherChanges() {
        guard transaction.hasNotes else { return }
        let changes = takeChanges()
        unsaved.append(changes)
        undoStack.register(changes, of: store.rows, over: fork.saved)
    }

    /// Takes what changed since the last batch; children are shown it.
    func takeChanges() -> ChangeSet {
        let changes = transaction.takeChanges()
        noteShown(changes)
        return changes
    }

    /// Tells listeners of what was processed, as of one change.
    func tellBatches() {
        guard let changes = unsaved.takeUntold() else { return }
        // A listener may merge, which tells observers only of what is different since these changes.
        let notices = transaction.observations.takeNotices()
        // An observer may change something itself. Listeners shall hear of that after this.
        tellListeners(changes, as: .didChange)
        transaction.observations.tell(notices)
    }

    /// The graph as listeners know it.
    var told: Graph { state.unsaved.told ?? unsaved.untold.first?.before ?? transaction.base }

    /// Tells listeners, and whoever observes single objects, of changes that no accessor made.
    func tell(
        _ changes: @autoclosure () -> ChangeSet, as kind: ContextChange.Kind = .didChange,
        dropping graph: Graph? = nil
    ) {
        guard !listeners.isEmpty || transaction.isObserved else { return }
        let changes = changes()
        tellListeners(changes, as: kind, dropping: graph)
        transaction.observations.tell(changes)
    }

    /// Tells listeners of changes, if there are any of either.
    func tellListeners(
        _ changes: ChangeSet, as kind: ContextChange.Kind, dropping graph: Graph? = nil
    ) {
        guard !listeners.isEmpty, !changes.isEmpty else { return }
        listeners.tell(
            ContextChange(
                kind: kind, objects: ObjectChanges(changes: changes), dropping: graph))
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
