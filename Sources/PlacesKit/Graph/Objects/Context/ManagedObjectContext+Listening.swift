extension ManagedObjectContext {
    /// A sequence of all changes to the objects from now on, once and in order.
    ///
    /// ```swift
    /// for await change in context.changes where change.kind != .didSave {
    ///     list.reload(change.objects.updated.keys)
    /// }
    /// ```
    /// - Changes come in batches: when you call `processPendingChanges`, when the context saves,
    ///   and when something else makes objects change. A context that was made on an actor
    ///   processes changes by itself when the actor's turn ends.
    /// - A slow consumer loses nothing: see ``changes(waiting:)``.
    /// - The sequence ends with the context. Any isolation may consume it.
    public var changes: ChangeStream<ContextChange> { changes(waiting: 256) }

    /// Makes a sequence of all changes from now on, with a limit for waiting batches.
    ///
    /// If more batches wait for a slow consumer, they become two: one joins all changes to the
    /// objects, the other all saves. See ``ContextChange/isJoined``.
    ///
    /// - Parameter limit: How many batches wait at most. A batch of many objects counts as one more
    ///   for each hundred of them.
    /// - Returns: The changes, for one consumer.
    public func changes(waiting limit: Int) -> ChangeStream<ContextChange> {
        let (mailbox, reader) = Mailbox<ContextChange>.make(
            limit: limit, weight: \.objects.weight, join: ContextChange.join)
        announceChanges()
        listeners.add(mailbox)
        return ChangeStream(reader) { !$0.isJoined || !$0.objects.isEmpty ? [$0] : [] }
    }

    /// Calls a closure with all changes to the objects, on the context's isolation.
    ///
    /// It does so until you cancel or release the subscription. If the closure itself changes
    /// objects, listeners are notified of that after all of them were notified of the current
    /// change.
    public func onChange(_ body: @escaping (ContextChange) -> Void) -> ChangeSubscription {
        ChangeSubscription(self, body)
    }

    // MARK: - Turns

    /// Lets the end of a turn be waited for from the first change on that there is to tell.
    func announceChanges() {
        guard let turns = listeners.turns, !transaction.recorder.isAwaited else { return }
        transaction.recorder.onFirstNote { turns.ask(for: .processing) }
        if transaction.hasNotes { turns.ask(for: .processing) }
    }
}
