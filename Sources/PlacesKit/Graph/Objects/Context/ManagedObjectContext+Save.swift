import PlacesBase

extension ManagedObjectContext {
    /// Saves all changes into the store or the parent context, or none of them.
    ///
    /// If another context saved other values of the same properties first, or the parent was
    /// changed meanwhile, the context's ``mergePolicy`` decides. What a child context saves becomes
    /// a pending change of its parent, which the parent saves later.
    ///
    /// - Throws: `ContextError.invalid` with every rule that the changes break;
    ///   `ContextError.conflict` if the merge policy is `error`; an error for the first change that
    ///   could not be made; `ContextError.readOnly`; or an error of the objects' hooks:
    ///   `ContextError.endlessHook`, `ContextError.saveInsideHook`; or `ContextError.changeInsideDerivation`. The
    ///   changes then stay pending.
    /// - Complexity: O(k) for k changed objects.
    public func save() throws(ContextError) {
        defer { endLostObjects() }
        try saveAll()
        listeners.turns?.onSettled?()
    }

    private func saveAll() throws(ContextError) {
        guard hooks.pointee.asking == nil, !isHeld else { throw refusal }
        if let parent, parent.isHeld { throw parent.refusal }
        clearEndedRows()
        gatherChanges()
        // What hooks and listeners change by a save is taken back with what led to it.
        let isInsideSave = undoStack.joinsLatest
        undoStack.joinsLatest = true
        defer {
            gatherChanges()
            undoStack.joinsLatest = isInsideSave
        }
        try prepareToSave()
        // NB: of the accessor's value the optimiser would read the error after the access has ended.
        if let mistake = state.unsaved.mistake { throw mistake }
        guard let pending = unsaved.changes.all else { return }
        guard !pending.isEmpty || !unsaved.bases.conflicts.isEmpty else {
            try validate(pending)
            return dropUndone()
        }
        guard let changes = try tellingParent({ () throws(ContextError) in try commitAll(pending) })
        else { return }
        tellSaved(changes)
        tellListeners(changes, as: .didSave)
    }

    /// Hands the pending changes, and what hooks add to them meanwhile, to the store; returns what was saved.
    private func commitAll(_ first: ChangeSet) throws(ContextError) -> ChangeSet? {
        // Listeners may change and save the context, so they hear of a merge when all is done; who begins to
        // listen meanwhile begins with what they know.
        let told = told
        unsaved.told = told
        var isMerged = false
        // What a hook changes meanwhile is not part of these changes: it stays pending.
        var late = LateChanges()
        defer {
            late.comeBack(to: transaction)
            unsaved.told = nil
            if isMerged {
                unsaved.forgetUntold()
                tell(ChangeSet(from: told, to: transaction.base), as: .didMerge)
            }
        }
        var rounds = 0
        var goesFirst = false
        defer { if goesFirst { store.precedence.giveBack() } }
        while true {
            // A document that was closed meanwhile takes no more saves.
            if store.isReadOnly, parent == nil { throw .readOnly }
            let head = head
            let begin = rounds > 0 ? ContinuousClock.now : nil
            let isSettled =
                head.number == fork.committed.number && unsaved.bases.conflicts.isEmpty
                && !hasFoldable
            let pending = isSettled ? unsaved.changes.all ?? first : allChanges()
            let conflicts = conflicts(of: pending, with: head)
            // A merge policy that gives a delete up forgets what forbade it.
            let denials = transaction.denials
            let changes: ChangeSet
            var folds: Delta?
            if isSettled {
                try validate(pending)
                changes = pending
            } else {
                if mergePolicy == .error {
                    let unsettled = unsaved.bases.unsettled(
                        of: conflicts, between: pending.after, and: head.graph)
                    guard unsettled.isEmpty else {
                        throw .conflict(describe(unsettled, of: pending, with: head.graph))
                    }
                }
                isMerged = true
                (changes, folds) = try noteShown { () throws(ContextError) in
                    try settle(
                        pending, conflicts, onto: head, denials: denials, settingAside: &late)
                }
            }
            if changes.isEmpty {
                unsaved.bases.settleAll()
                if let folds { undoStack.join(folds) }
                showLate(&late)
                dropUndone()
                return nil
            }
            if let commit = commit(changes) {
                undoStack.settle(over: fork.saved)
                // Before objects end with it, which may save what they change.
                unsaved.endSaved()
                base(on: commit, isOwn: true)
                if let folds { undoStack.join(folds) }
                showLate(&late)
                isMerged = isMerged || parent != nil
                transaction.denials.settle(in: commit.graph)
                giveUpRows()
                return changes
            }
            noteShown {
                let isLate = late.take(from: transaction, of: store.rows) != nil
                guard isLate || !isSettled else { return }
                merge(pending, conflicts, onto: head, denials: denials)
            }
            rounds += 1
            try checkContest(rounds, over: changes)
            if let begin, rounds >= CommitPrecedence.overtakings, !goesFirst, parent == nil {
                goesFirst = store.precedence.take(after: ContinuousClock.now - begin)
            }
        }
    }

    /// Shows again what hooks changed in earlier rounds of a save that is over, below what they changed in its last one.
    private func showLate(_ late: inout LateChanges) {
        guard !late.isEmpty else { return }
        noteShown {
            if let graph = late.take(from: transaction, of: store.rows) {
                transaction.reset(to: graph)
            }
        }
        late.comeBack(to: transaction)
    }

    /// Drops all changes and the undo groups, and shows the current store or parent.
    public func rollback() {
        guard !isHeld else { return note(refusal) }
        defer { endLostObjects() }
        unsaved.mistake = nil
        undoStack.removeAll()
        tellingParent { showHead(told: told, as: .didChange) }
        listeners.turns?.onRefresh?()
        listeners.turns?.onSettled?()
    }

    /// Shows what other contexts saved, and keeps the changes of this context.
    ///
    /// If both changed the same properties, this context continues to show its own values; the next
    /// save settles the conflict by the ``mergePolicy``.
    ///
    /// - Complexity: O(k) for k pending changes and changes by others; O(1) where nobody saved.
    public func refreshAllObjects() {
        guard !isHeld else { return note(refusal) }
        defer { endLostObjects() }
        processPendingChanges()
        tellingParent { mergeHead() }
    }

    /// Shows what the store or the parent has now, with the changes of this context.
    private func mergeHead() {
        let head = head
        // Where nobody saved, the changes stand on what there is, and so does what they are based on.
        let isMerge = head.number != fork.committed.number
        guard isMerge || unsaved.changes.isEmpty && unsaved.bases.isEmpty else { return }
        defer { if isMerge { listeners.turns?.onRefresh?() } }
        let told = told
        let changes = allChanges()
        // Listeners know the committed graph with these changes, unless there are some to be told.
        let number = unsaved.untold.isEmpty ? fork.committed.number : nil
        guard !changes.isEmpty || !unsaved.bases.isEmpty else {
            return showHead(told: told, as: .didMerge, since: number)
        }
        let denials = transaction.denials
        noteShown {
            merge(changes, conflicts(of: changes, with: head), onto: head, denials: denials)
        }
        tell(
            difference(
                from: told, since: number,
                and: [changes, unsaved.changes.all].compactMap { $0?.tables }),
            as: .didMerge)
    }

    /// Shows what other contexts saved of an object, and drops or keeps its own changes.
    ///
    /// A context shows one commit of its store, so this brings all other objects up to date too;
    /// they keep their changes. An object that was never saved keeps its values, and a deleted one
    /// stays deleted. The members of a to-many relationship are changes of the members, and are
    /// kept.
    ///
    /// - Parameters:
    ///   - object: An object of this context.
    ///   - mergeChanges: Whether the object keeps its changes.
    /// - Throws: `ContextError.noSuchObject` for an object of another context; `ContextError.saveInsideHook` or
    ///   `ContextError.changeInsideDerivation`.
    public func refresh(
        _ object: ManagedObject, mergeChanges: Bool
    ) throws(ContextError) {
        guard let table = object.table, table.state === state else {
            throw .noSuchObject(object.objectID)
        }
        guard !isHeld else { throw refusal }
        if !mergeChanges {
            let address = RowAddress(table: table.number, row: object.row)
            let isReturned = unsaved.bases.effects.returned.contains(address)
            if isReturned { processPendingChanges() }
            unsaved.bases.settle(object.row, in: table.number)
            if isReturned {
                withdraw(address)
            } else if object.isUpdated {
                transaction.copyValues(of: object.row, from: saved, in: table.number)
            }
        }
        refreshAllObjects()
    }

    /// Lets an object that others deleted be gone, which own changes alone had kept.
    private func withdraw(_ object: RowAddress) {
        let told = told
        let changes = allChanges()
        noteShown {
            merge(
                changes, unsaved.bases.conflicts, but: TakenBack(rows: [object]),
                onto: fork.committed, denials: transaction.denials)
        }
        tell(ChangeSet(from: told, to: transaction.base), as: .didMerge)
    }

    /// Shows what the store has now and nothing else to listeners who were told of `told`, which is the
    /// graph of the commit of a number, if one is given.
    private func showHead(
        told: Graph, as kind: ContextChange.Kind, since number: Int? = nil
    ) {
        // Who observes an object has heard of changes that listeners do not know, too.
        let hasUntold = transaction.hasNotes || !unsaved.untold.isEmpty
        let seen = transaction.isObserved && hasUntold ? transaction.freeze() : nil
        // No index of it is asked, so none has to be complete.
        let (shown, denials) = (transaction.current, transaction.knownDenials)
        let former = fork.committed
        let isRolledBack = kind == .didChange
        if !isRolledBack { holdUndoneRows() }
        unsaved.replace()
        unsaved.bases.settleAll()
        noteShown {
            base(on: head)
            // The same commit shows what was shown: nothing of others lies between the changes of an open group.
            if fork.committed.number != former.number { undoStack.interrupt() }
            transaction.reset(to: fork.committed.graph)
            keepLastValues(from: shown, denials, isRolledBack: isRolledBack)
        }
        // Objects end with them, which may save: listeners hear of that after this.
        defer { giveUpRows() }
        let now = transaction.base
        let isOwn = isRolledBack && fork.committed.number != former.number
        tell(
            difference(from: told, since: number), as: kind,
            dropping: isOwn ? former.graph : nil)
        guard let seen else { return }
        transaction.observations.tell(ChangeSet(from: seen, to: now))
    }

    /// What differs between what listeners know and what is shown now.
    ///
    /// - Parameters:
    ///   - told: The graph that they know.
    ///   - number: The number of the commit whose graph it is, with changes; `nil` if that is not known.
    ///   - changes: The changes to that graph, and to the one that was committed last.
    /// - Returns: The difference.
    /// - Complexity: O(k) for k changed rows, if the store still has what was committed since.
    private func difference(
        from told: Graph, since number: Int?, and changes: [[TableChanges]] = []
    ) -> ChangeSet {
        guard let commits = number.flatMap(fork.fewWrites) else {
            return ChangeSet(from: told, to: transaction.base)
        }
        return ChangeSet(from: told, to: transaction.base, among: commits + changes)
    }

    /// Makes changes again on top of what the store has, and tells nobody.
    ///
    /// - Parameters:
    ///   - replay: The changes.
    ///   - head: What the store has.
    ///   - denials: The rows that they delete against a rule.
    func rebase(
        _ replay: Replay, onto head: CommittedGraph, denials: DeniedDeletes
    ) {
        let (shown, known) = (transaction.graph, transaction.knownDenials)
        transaction.reset(to: head.graph)
        transaction.apply(replay)
        transaction.remember(denials)
        base(on: head)
        undoStack.interrupt()
        holdUndoneRows()
        var changes = transaction.takeChanges()
        keepLastValues(from: shown, known)
        changes.after = transaction.base
        unsaved.replace(with: changes)
    }
}
