/// The changes of a context that can be taken back, and those that were.
///
/// - Invariant: There is nothing to take back, or to do again, unless changes are remembered.
/// - Invariant: An open group was begun more often than ended.
struct UndoStack {
    private(set) var undoGroups = UndoGroups()
    private(set) var redoGroups = UndoGroups()
    /// A group that collects changes until it is ended, and how many were begun inside it, itself included.
    private struct OpenGroup {
        var group: UndoGroup
        var depth: Int
    }

    private var open: OpenGroup?
    /// Whether changes are remembered at all; ending it forgets them.
    var isEnabled = false {
        didSet { if !isEnabled { removeAll() } }
    }
    /// How many calls of `disable` wait for theirs of `enable`.
    private var disabled = 0
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
    var canUndo: Bool { !undoGroups.isEmpty || open.map { !$0.group.isEmpty } ?? false }

    /// The name of the group that is taken back next, if there are changes that are yet to be registered or not.
    func undoActionName(registering: Bool) -> String {
        if let open, registering || !open.group.isEmpty { return open.group.name }
        return registering ? "" : undoGroups.last?.name ?? ""
    }

    /// Whether changes are remembered at present.
    var isRegistering: Bool { isEnabled && disabled == 0 }

    // MARK: - Registering

    /// Remembers changes, as a group of their own unless one is open.
    mutating func register(
        _ changes: ChangeSet, of rows: RowAllocator, over saved: @autoclosure () -> SavedGraph
    ) {
        guard isRegistering, !changes.isEmpty else { return }
        let delta = Delta(undoing: changes, of: rows, over: saved())
        guard !joinsLatest else { return join(delta) }
        redoGroups.removeAll()
        if open != nil {
            open?.group.append(delta)
        } else {
            var group = UndoGroup()
            group.append(delta)
            pushUndo(group)
        }
    }

    /// Adds changes to the latest group; without one they are not remembered.
    mutating func join(_ delta: Delta) {
        if let open, !open.group.isEmpty {
            self.open?.group.append(delta)
        } else if !undoGroups.isEmpty {
            undoGroups.append(delta)
        }
    }

    /// Leaves what others have done as well as they saved it, before the context saves itself.
    mutating func settle(over saved: SavedGraph) {
        if open?.group.settle(over: saved) ?? true { undoGroups.settle(over: saved) }
        redoGroups.settle(over: saved)
    }

    /// Those of some objects whose insert is remembered.
    mutating func inserted(among objects: Set<Delta.Departure>) -> Set<Delta.Departure> {
        let latest = open?.group.inserted(among: objects) ?? []
        return latest.union(undoGroups.inserted(among: objects.subtracting(latest)))
    }

    mutating func disable() { disabled += 1 }

    mutating func enable() { disabled = max(0, disabled - 1) }

    // MARK: - Groups

    mutating func begin(named name: String = "") {
        if open == nil { open = OpenGroup(group: UndoGroup(), depth: 0) }
        open?.depth += 1
        if open?.group.name.isEmpty ?? false { open?.group.name = name }
    }

    mutating func end() {
        open?.depth -= 1
        if open?.depth == 0 { endAll() }
    }

    /// Ends all groups that are open.
    mutating func endAll() {
        guard let group = open?.group else { return }
        open = nil
        if !group.isEmpty { pushUndo(group) }
    }

    /// Names the open group, or else the latest.
    mutating func rename(_ name: String) {
        if open != nil {
            open?.group.name = name
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
        if let name = open?.group.name { open?.group = UndoGroup(name: name) }
    }
}

extension UndoStack {
    /// What is wrong with the groups, in words; nothing if all is sound.
    var brokenInvariants: [String] {
        let isRemembering = canUndo || !redoGroups.isEmpty
        return undoGroups.brokenInvariants + redoGroups.brokenInvariants
            + (isRemembering && !isEnabled ? ["changes are remembered, and are not to be"] : [])
            + (open.map { $0.depth < 1 } ?? false ? ["an open group was ended"] : [])
    }
}
