extension ManagedObjectContext {
    /// Whether changes are remembered so that `undo()` can take them back; `false` unless you say so.
    ///
    /// Ending it forgets what was remembered.
    public var isUndoEnabled: Bool {
        get { undoStack.isEnabled }
        set {
            processPendingChanges()
            undoStack.isEnabled = newValue
            // On an actor, the changes of each turn are a group.
            if newValue { announceChanges() }
        }
    }

    /// How many groups of changes can be taken back, 100 at first; any number if zero.
    public var undoLimit: Int {
        get { undoStack.limit }
        set { undoStack.limit = newValue }
    }

    /// About how many bytes of memory the groups that can be taken back may hold, and as many those that
    /// can be done again: 64 MB at first; any number if zero.
    ///
    /// A group holds the values that its changes replaced and gave: some 300 bytes for one attribute, and
    /// all values of the objects that it deleted. Those that would be taken back last are forgotten
    /// first; the first one stays, however large it is.
    public var undoByteLimit: Int {
        get { undoStack.byteLimit }
        set { undoStack.byteLimit = newValue }
    }

    /// Whether there is anything that `undo()` would take back.
    public var canUndo: Bool { undoStack.canUndo || wouldRegister }

    /// Whether there is anything that `redo()` would do again.
    public var canRedo: Bool { !undoStack.redoGroups.isEmpty && !wouldRegister }

    /// Whether there are changes that the next `processPendingChanges` makes a group of.
    private var wouldRegister: Bool {
        undoStack.isRegistering && transaction.hasChanges(since: transaction.base)
    }

    /// Takes the latest group of changes back; does nothing where there is none.
    ///
    /// All that is changed until `processPendingChanges` or `save` is called, or a turn of the context's
    /// actor ends, is a group, unless groups are begun and ended. Taking back what was saved is a change that is to be saved.
    ///
    /// - What other contexts have changed since is kept, property by property: only what still is as
    ///   the group left it is set back.
    /// - Deleted objects come back as the same objects, with their values, links and positions in lists.
    ///   Objects that were inserted are deleted by their delete rules.
    /// - Groups that are open are ended first.
    ///
    /// - Complexity: O(k) for k changed properties.
    public func undo() {
        processPendingChanges()
        undoStack.endAll()
        guard let group = undoStack.popUndo() else { return }
        undoStack.pushRedo(takeBack(group))
        processPendingChanges()
    }

    /// Does again what `undo()` took back last; does nothing where something was changed since.
    ///
    /// - Complexity: O(k) for k changed properties.
    public func redo() {
        processPendingChanges()
        guard let group = undoStack.popRedo() else { return }
        undoStack.pushUndo(takeBack(group))
        processPendingChanges()
    }

    /// Takes a group's changes back; returns the group that makes them again.
    private func takeBack(_ group: UndoGroup) -> UndoGroup {
        for delta in group.deltas.reversed() { transaction.apply(delta) }
        endConflictsTakenBack()
        let changes = takeChanges()
        unsaved.append(changes)
        var inverse = UndoGroup(name: group.name)
        inverse.append(Delta(undoing: changes, of: store.rows))
        return inverse
    }

    // MARK: - Groups

    /// The name of the group that `undo()` takes back next; empty where it has none.
    public var undoActionName: String {
        wouldRegister ? "" : undoStack.undoGroups.last?.name ?? ""
    }

    /// The name of the group that `redo()` does again next; empty where it has none.
    public var redoActionName: String { undoStack.redoGroups.last?.name ?? "" }

    /// Names the group that is open, or else that of the latest changes.
    public func setUndoActionName(_ name: String) {
        processPendingChanges()
        undoStack.rename(name)
    }

    /// Begins a group: all changes until its end are taken back at once.
    ///
    /// A group inside another is part of it.
    ///
    /// - Parameter name: The group's name, for a menu; that of the outermost group that has one counts.
    public func beginUndoGroup(named name: String = "") {
        processPendingChanges()
        undoStack.begin(named: name)
    }

    /// Ends the group that was begun last; does nothing where none is open.
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
    /// - Throws: What `body` throws; what it changed until then stays, and is a group.
    public func undoGroup<Result, Failure: Error>(
        named name: String = "", _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        beginUndoGroup(named: name)
        defer { endUndoGroup() }
        return try body()
    }

    // MARK: - Registration

    /// Lets changes from now on not be taken back, until `enableUndoRegistration` is called as often.
    public func disableUndoRegistration() {
        processPendingChanges()
        undoStack.disable()
    }

    /// Lets changes be taken back again.
    public func enableUndoRegistration() {
        processPendingChanges()
        undoStack.enable()
    }
}
