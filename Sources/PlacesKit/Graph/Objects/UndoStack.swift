/// The changes of a context that can be taken back, and those that were.
struct UndoStack {
    private(set) var undoGroups = UndoGroups()
    private(set) var redoGroups = UndoGroups()
    /// The group that collects changes until it is ended, with those that are begun inside it.
    private var open: UndoGroup?
    private var depth = 0
    /// Whether changes are remembered at all; ending it forgets them.
    var isEnabled = false {
        didSet { if !isEnabled { removeAll() } }
    }
    /// How many calls of `disable` wait for theirs of `enable`.
    private(set) var disabled = 0
    /// Whether changes are those of hooks and listeners, which are no actions of their own.
    var joinsLatest = false

    /// How many groups are kept; any number if zero.
    var limit: Int {
        get { undoGroups.limit }
        set { undoGroups.limit = max(0, newValue) }
    }

    /// About how many bytes the groups of each direction may take; any number if zero.
    var byteLimit: Int {
        get { undoGroups.byteLimit }
        set {
            undoGroups.byteLimit = max(0, newValue)
            redoGroups.byteLimit = undoGroups.byteLimit
        }
    }

    init() {
        limit = 100
        byteLimit = 64 << 20
    }

    /// Whether any group has changes.
    var canUndo: Bool { !undoGroups.isEmpty || !(open?.isEmpty ?? true) }

    // MARK: - Registering

    /// Remembers changes, as a group of their own unless one is open.
    mutating func register(_ changes: ChangeSet, of rows: RowAllocator) {
        guard isEnabled, disabled == 0, !changes.isEmpty else { return }
        guard !joinsLatest else { return join(Delta(undoing: changes, of: rows)) }
        redoGroups.removeAll()
        let delta = Delta(undoing: changes, of: rows)
        if open != nil {
            open?.append(delta)
        } else {
            var group = UndoGroup()
            group.append(delta)
            pushUndo(group)
        }
    }

    /// Adds changes to the latest group; without one they are not remembered.
    private mutating func join(_ delta: Delta) {
        if let open, !open.isEmpty {
            self.open?.append(delta)
        } else if !undoGroups.isEmpty {
            undoGroups.append(delta)
        }
    }

    mutating func disable() { disabled += 1 }

    mutating func enable() { disabled = max(0, disabled - 1) }

    // MARK: - Groups

    mutating func begin(named name: String = "") {
        depth += 1
        if open == nil { open = UndoGroup() }
        if open?.name.isEmpty ?? false { open?.name = name }
    }

    mutating func end() {
        guard depth > 0 else { return }
        depth -= 1
        guard depth == 0, let group = open else { return }
        open = nil
        if !group.isEmpty { pushUndo(group) }
    }

    /// Ends all groups that are open.
    mutating func endAll() {
        while depth > 0 { end() }
    }

    /// Names the open group, or else the latest.
    mutating func rename(_ name: String) {
        if open != nil {
            open?.name = name
        } else {
            undoGroups.rename(name)
        }
    }

    // MARK: - Undoing

    mutating func popUndo() -> UndoGroup? { undoGroups.pop() }

    mutating func popRedo() -> UndoGroup? { redoGroups.pop() }

    mutating func pushUndo(_ group: UndoGroup) { undoGroups.push(group) }

    mutating func pushRedo(_ group: UndoGroup) { redoGroups.push(group) }

    /// Forgets all changes; open groups go on, empty.
    mutating func removeAll() {
        undoGroups.removeAll()
        redoGroups.removeAll()
        if let name = open?.name { open = UndoGroup(name: name) }
    }
}
