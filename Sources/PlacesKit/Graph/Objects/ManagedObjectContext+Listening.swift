extension ManagedObjectContext {
    /// Everything that happens to the objects from now on, once and in order.
    ///
    /// ```swift
    /// for await change in context.changes where change.kind != .didSave {
    ///     list.reload(change.objects.updated.keys)
    /// }
    /// ```
    /// - Changes are told in batches: when `processPendingChanges` is called, by a save, and by
    ///   whatever else makes objects change. A context that was made on an actor processes changes
    ///   by itself when the actor's turn ends.
    /// - However slowly they are consumed, nothing is lost: see ``changes(waiting:)``.
    /// - The sequence ends with the context, and may be consumed anywhere.
    public var changes: ChangeStream<ContextChange> { changes(waiting: 256) }

    /// Everything that happens to the objects from now on, of which so many batches wait for a consumer who
    /// is slow.
    ///
    /// If there are more, those that wait become two: what all did to the objects, and what was saved. See
    /// ``ContextChange/isJoined``.
    ///
    /// - Parameter limit: How many batches wait at most, where one of many objects counts as one more for
    ///   each hundred of them.
    /// - Returns: What happens, for one consumer.
    public func changes(waiting limit: Int) -> ChangeStream<ContextChange> {
        let (mailbox, reader) = Mailbox<ContextChange>.make(
            limit: limit, weight: \.objects.weight, join: ContextChange.join)
        announceChanges()
        listeners.add(mailbox)
        return ChangeStream(reader) { !$0.isJoined || !$0.objects.isEmpty }
    }

    /// Calls a closure with everything that happens to the objects, on the context's isolation, until
    /// the subscription is cancelled or nobody keeps it.
    ///
    /// What the closure changes is told when everybody has heard of the change at hand.
    public func onChange(_ body: @escaping (ContextChange) -> Void) -> ChangeSubscription {
        ChangeSubscription(self, token: addChangeListener(body))
    }

    // MARK: - Turns

    /// Lets the end of a turn be waited for from the first change on that there is to tell.
    func announceChanges() {
        guard let signal = listeners.turns?.signal, !transaction.recorder.isAwaited else { return }
        transaction.recorder.onFirstNote { signal.yield() }
        if transaction.hasNotes { signal.yield() }
    }
}
