/// The changes of a context that can be taken back, and those that were.
struct UndoStack {
    /// Changes that are taken back at once.
    struct Group {
        var name = ""
        /// Batches in the order in which they were made; others may have saved in between.
        var changes: [ChangeSet] = []
    }

    private(set) var undoGroups: ContiguousArray<Group> = []
    private(set) var redoGroups: ContiguousArray<Group> = []
    /// The group that collects changes until it is ended, with those that are begun inside it.
    private var open: Group?
    private var depth = 0
    /// Whether changes are remembered at all; ending it forgets them.
    var isEnabled = false {
        didSet { if !isEnabled { removeAll() } }
    }
    /// How many calls of `disable` wait for theirs of `enable`.
    private(set) var disabled = 0
    /// How many groups are kept; any number if zero.
    var limit = 100 {
        didSet {
            limit = max(0, limit)
            trim()
        }
    }

    /// Whether any group has changes.
    var canUndo: Bool { !undoGroups.isEmpty || !(open?.changes.isEmpty ?? true) }

    // MARK: - Registering

    /// Remembers changes, as a group of their own unless one is open.
    mutating func register(_ changes: ChangeSet) {
        guard isEnabled, disabled == 0, !changes.isEmpty else { return }
        redoGroups.removeAll()
        if open != nil {
            open?.changes.append(changes)
        } else {
            pushUndo(Group(changes: [changes]))
        }
    }

    mutating func disable() { disabled += 1 }

    mutating func enable() { disabled = max(0, disabled - 1) }

    // MARK: - Groups

    mutating func begin(named name: String = "") {
        depth += 1
        if open == nil { open = Group() }
        if open?.name.isEmpty ?? false { open?.name = name }
    }

    mutating func end() {
        guard depth > 0 else { return }
        depth -= 1
        guard depth == 0, let group = open else { return }
        open = nil
        if !group.changes.isEmpty { pushUndo(group) }
    }

    /// Ends all groups that are open.
    mutating func endAll() {
        while depth > 0 { end() }
    }

    /// Names the open group, or else the latest.
    mutating func rename(_ name: String) {
        if open != nil {
            open?.name = name
        } else if let last = undoGroups.indices.last {
            undoGroups[last].name = name
        }
    }

    // MARK: - Undoing

    mutating func popUndo() -> Group? { undoGroups.popLast() }

    mutating func popRedo() -> Group? { redoGroups.popLast() }

    mutating func pushUndo(_ group: Group) {
        undoGroups.append(group)
        trim()
    }

    mutating func pushRedo(_ group: Group) { redoGroups.append(group) }

    /// Forgets all changes; open groups go on, empty.
    mutating func removeAll() {
        undoGroups.removeAll()
        redoGroups.removeAll()
        open?.changes.removeAll()
    }

    private mutating func trim() {
        if limit > 0, undoGroups.count > limit {
            undoGroups.removeFirst(undoGroups.count - limit)
        }
    }
}
