extension ManagedObjectContext {
    /// Whether what others save shows here by itself, on the context's own actor.
    ///
    /// It does from the start in a context that was made on an actor: some time after a commit the
    /// context does what `refreshAllObjects` does, once for any number of commits in a row. A context
    /// that was made on no actor shows other commits when it saves, refreshes or rolls back.
    ///
    /// A child context shows what its parent processes, at once; it does so only if you set this.
    public var automaticallyMergesChangesFromParent: Bool {
        get { fork.mergesAutomatically }
        set {
            fork.mergesAutomatically = newValue
            mergeAutomatically()
        }
    }

    /// Shows what others committed, if that is to happen by itself.
    func mergeAutomatically() {
        guard fork.isMerging, head.number != fork.committed.number else { return }
        refreshAllObjects()
    }

    /// Merges what others commit to the store, on the actor of the caller, until the context goes.
    func observeStore(isolation: isolated (any Actor)?) {
        guard isolation != nil else { return }
        // One signal waits at most: a merge shows all commits there are.
        let (signals, continuation) = AsyncStream<Void>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        fork.listener = store.addListener(
            CommitListener { _ in
                continuation.yield()
            } whenRemoved: {
                continuation.finish()
            })
        fork.mergesAutomatically = true
        // What was committed before the listener came.
        continuation.yield()
        Task { [weak self] in
            _ = isolation
            for await _ in signals { self?.mergeAutomatically() }
        }
    }

    /// Merges what the parent processes, until the context goes.
    func observeParent() {
        fork.listener = parent?.addListener { [weak self] _ in self?.mergeAutomatically() }
    }
}
