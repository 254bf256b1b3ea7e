extension ManagedObjectContext {
    /// Whether the context automatically merges what others save, on its own actor.
    ///
    /// In a context that was made on an actor this is `true` from the start: some time after a
    /// commit the context does what `refreshAllObjects` does, once for any number of commits in a
    /// row. A context that was made on no actor merges other commits when it saves changes, refreshes
    /// or rolls back.
    ///
    /// If you set this in a child context, it shows at once what its parent processes.
    public var automaticallyMergesChangesFromParent: Bool {
        get { fork.mergesAutomatically }
        set {
            fork.mergesAutomatically = newValue
            mergeAutomatically()
        }
    }

    /// Shows what others committed, if that is to happen by itself.
    func mergeAutomatically() {
        // Who processes the parent inside `validate`, or while a derived value is made, merges with the parent's next
        // change, or by a save.
        guard fork.mergesAutomatically, !isHeld, head.number != fork.committed.number else {
            return
        }
        refreshAllObjects()
    }

    /// Merges what others commit to the store, on the context's actor, until the context goes.
    func observeStore() {
        guard let turns = listeners.turns else { return }
        // A merge shows all commits there are.
        fork.listener = store.addListener(CommitListener(wake: { turns.ask(for: .merging) }))
        fork.mergesAutomatically = true
        // What was committed before the listener came.
        turns.ask(for: .merging)
    }

    /// Merges what the parent processes, until the context goes.
    func observeParent() {
        fork.listener = parent?.addListener { [weak state = state] _ in
            state?.context.mergeAutomatically()
        }
    }
}
