extension ManagedObjectContext {
    /// Whether the context remembers changes so that `undo()` can take them back; `false` at first.
    ///
    /// If you set it to `false`, the context forgets what it remembered.
    public var isUndoEnabled: Bool {
        get { undoStack.isEnabled }
        set {
            processPendingChanges()
            undoStack.isEnabled = newValue
            // On an actor, the changes of each turn are a group.
            if newValue { announceChanges() }
        }
    }

    /// How many groups of changes `undo()` can take back, 100 at first; any number if zero.
    public var undoLimit: Int {
        get { undoStack.limit }
        set { undoStack.limit = newValue }
    }

    /// About how many bytes the groups for `undo()` may hold, 64 MB at first; any number if zero.
    ///
    /// The groups for `redo()` may hold as many.
    ///
    /// A group holds the old and new values of its changes: some 300 bytes for one attribute, and
    /// all values of the objects that it deleted. The context first forgets the groups that it
    /// would take back last. It always keeps the next one, however large it is. What an open group
    /// holds besides until it ends is in no limit.
    public var undoByteLimit: Int {
        get { undoStack.byteLimit }
        set { undoStack.byteLimit = newValue }
    }

    /// Whether there is a group of changes that `undo()` takes back.
    ///
    /// A group whose changes you have changed back inside it does not count.
    public var canUndo: Bool { undoStack.canUndo(with: transaction) }

    /// Whether `redo()` would do anything again.
    public var canRedo: Bool {
        !undoStack.redoGroups.isEmpty && !undoStack.wouldRegister(transaction)
    }

    /// Takes back the latest group of changes; does nothing if there is none.
    ///
    /// Unless you begin and end groups yourself, a group is all changes until you call
    /// `processPendingChanges` or `save`, or until a turn of the context's actor ends. If the group
    /// was saved, taking it back is a new change that you have to save.
    ///
    /// - What other contexts have changed since is kept, property by property: a property is set
    ///   back only if it still has the value that the group gave it, and an optional composite
    ///   attribute only if that leaves no half of it. What they have saved as well
    ///   stays: a member that both added or removed, and an object that both deleted.
    /// - Deleted objects come back as the same objects, with their values, links and positions in
    ///   lists. Inserted objects lose the links that the group gave them, and are deleted by their delete rules; those that
    ///   you do not hold lose their values by the next save, until a redo writes them again.
    /// - If a save let new objects become saved ones (``ClashPolicy``), that is undone with the latest group of
    ///   that time: the saved ones get back the values and partners that they had. A new object that an
    ///   earlier group inserted is there again until that group is undone, too. One whose insert no group
    ///   remembers stays what it became.
    /// - Open groups are ended first.
    ///
    /// - Complexity: O(k) for k changed properties; of all pending changes, where others wrote the same.
    public func undo() {
        guard !isHeld else { return note(refusal) }
        defer { endLostObjects() }
        processPendingChanges()
        undoStack.endAll()
        guard let group = undoStack.popUndo() else { return }
        undoStack.pushRedo(takeBack(group, endingConflicts: true))
        processPendingChanges()
    }

    /// Does again what `undo()` took back last; does nothing if something was changed since.
    ///
    /// A change ends what can be done again when it is remembered, also if its group comes to nothing in the end.
    ///
    /// - Complexity: O(k) for k changed properties.
    public func redo() {
        guard !isHeld else { return note(refusal) }
        defer { endLostObjects() }
        processPendingChanges()
        guard let group = undoStack.popRedo() else { return }
        // The groups below begin with what the conflicts are based on.
        undoStack.pushUndo(takeBack(group, endingConflicts: false))
        processPendingChanges()
    }

    /// Takes a group's changes back; returns the group that makes them again, which is empty if nothing changed.
    private func takeBack(_ group: UndoGroup, endingConflicts: Bool) -> UndoGroup {
        let untold = unsaved.untold
        lazy var contested = unsaved.bases.contestedRows
        for delta in group.deltas.reversed() {
            transaction.apply(delta, over: fork.saved) { contested.contains($0) }
            unsaved.bases.takeBackBuried(
                by: delta, in: transaction.graph, over: fork.saved.graph, rows: store.rows)
        }
        var changes = withoutHalves(transaction.takeChanges())
        unsaved.append(changes)
        if let rest = showSaved(after: changes, takingBack: endingConflicts ? group : nil) {
            changes = changes.merging(rest)
        }
        unsaved.untold = untold + [changes]
        noteShown(changes)
        var inverse = UndoGroup(name: group.name)
        // Where others have changed all of it, there is nothing to make again.
        if !changes.isEmpty {
            inverse.append(Delta(undoing: changes, of: store.rows, over: fork.saved))
        }
        return inverse
    }

    /// Leaves optional composite attributes as they were where only some of their parts could be set back, for others wrote the
    /// rest: half of one is none.
    private func withoutHalves(_ changes: ChangeSet) -> ChangeSet {
        for table in state.tables {
            let (number, before, after) = (table.number, changes.before, changes.after)
            for composite in store.model.optionalComposites[table.entityNumber] {
                let updated = ContiguousArray(changes.tables[number].updated.lazy.map(\.row))
                for row in after.rows(updated, of: table.entityLayout)
                where composite.isHalf(at: row, in: after.tables[number])
                    && !composite.isHalf(at: row, in: before.tables[number])
                {
                    transaction.copyValues(of: row, composite.slots, from: before, in: number)
                }
            }
        }
        return transaction.hasNotes ? changes.merging(transaction.takeChanges()) : changes
    }

    // MARK: - Groups

    /// The name of the group that `undo()` takes back next; empty if it has no name.
    public var undoActionName: String { undoStack.undoActionName(with: transaction) }

    /// The name of the group that `redo()` does again next; empty if it has no name.
    public var redoActionName: String { undoStack.redoGroups.last?.name ?? "" }

    /// Names the open group, or the group of the latest changes if none is open.
    public func setUndoActionName(_ name: String) {
        processPendingChanges()
        undoStack.rename(name)
    }

    /// Begins a group; `undo()` takes back all its changes at once.
    ///
    /// A group inside another is part of it. A group is not remembered if its changes come to nothing: you set a
    /// property and set it back, or insert an object and delete it. It is remembered all the same if the context
    /// merged what others saved in between, or made changes that are not remembered.
    ///
    /// - Parameter name: The group's name, for a menu; the outermost name of nested groups is used.
    public func beginUndoGroup(named name: String = "") {
        processPendingChanges()
        undoStack.begin(named: name)
    }

    /// Ends the group that was begun last; does nothing if none is open.
    public func endUndoGroup() {
        processPendingChanges()
        undoStack.end()
    }

    /// Makes all changes of `body` one group.
    ///
    /// - Parameters:
    ///   - name: The group's name, for a menu.
    ///   - body: What changes objects of the context.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws; the changes that it made before stay, as a group.
    public func undoGroup<Result, Failure: Error>(
        named name: String = "", _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        beginUndoGroup(named: name)
        defer { endUndoGroup() }
        return try body()
    }

    // MARK: - Registration

    /// Stops remembering changes until `enableUndoRegistration` is called as often.
    public func disableUndoRegistration() {
        processPendingChanges()
        undoStack.disable()
    }

    /// Starts remembering changes again.
    public func enableUndoRegistration() {
        processPendingChanges()
        undoStack.enable()
    }
}
