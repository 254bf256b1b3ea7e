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
        var depth = 0
        /// What its changes come to; `nil` where others' work or changes that are not remembered lie between them,
        /// for then their undo does not lead back past those.
        ///
        /// It has the graphs before and after them, so what was deleted meanwhile keeps its row until the group ends.
        private var net: PendingChanges? = PendingChanges()

        init(_ group: UndoGroup) { self.group = group }

        /// Whether it would take anything back: its changes may have been changed back by hand.
        var hasEffect: Bool { !group.isEmpty && net?.isEmpty != true }

        /// The same with what is noted in a transaction besides.
        func hasEffect(with noted: Transaction) -> Bool {
            guard let net, let before = net.before else { return !group.isEmpty }
            return noted.hasChanges(since: before) || net.areVisible(in: noted.graph)
        }

        mutating func append(_ delta: Delta, of changes: ChangeSet?) {
            group.append(delta)
            if let changes { net?.append(changes) } else { net = nil }
        }

        /// Notes that something else changed what is shown.
        mutating func interrupt() { if !group.isEmpty { net = nil } }
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

    /// Whether changes are remembered at present.
    var isRegistering: Bool { isEnabled && disabled == 0 }

    /// Whether what is noted in a transaction, and yet to be registered, is an action of its own.
    func wouldRegister(_ noted: Transaction) -> Bool {
        isRegistering && !joinsLatest && noted.hasChanges(since: noted.base)
    }

    /// Whether any group has changes that were not changed back inside it, be it by what is noted in a transaction.
    func canUndo(with noted: Transaction) -> Bool {
        !undoGroups.isEmpty || hasLatest(with: noted)
    }

    /// The name of the group that is taken back next.
    func undoActionName(with noted: Transaction) -> String {
        hasLatest(with: noted) ? open?.group.name ?? "" : undoGroups.last?.name ?? ""
    }

    /// Whether there is anything to take back in the open group, or in the one that is yet to be made.
    private func hasLatest(with noted: Transaction) -> Bool {
        guard let open, !open.group.isEmpty else { return wouldRegister(noted) }
        guard isRegistering else {
            // What is not remembered will lie between its changes.
            return open.hasEffect || noted.hasChanges(since: noted.base)
        }
        return open.hasEffect(with: noted)
    }

    // MARK: - Registering

    /// Remembers changes, as a group of their own unless one is open.
    mutating func register(
        _ changes: ChangeSet, of rows: RowAllocator, over saved: @autoclosure () -> SavedGraph
    ) {
        guard !changes.isEmpty else { return }
        guard isRegistering else { return interrupt() }
        let delta = Delta(undoing: changes, of: rows, over: saved())
        guard !joinsLatest else { return join(delta, of: changes) }
        redoGroups.removeAll()
        if open != nil {
            open?.append(delta, of: changes)
        } else {
            var group = UndoGroup()
            group.append(delta)
            pushUndo(group)
        }
    }

    /// Adds changes to the latest group; without one they are not remembered.
    ///
    /// - Parameters:
    ///   - delta: What takes them back.
    ///   - changes: The changes, if they follow those that were registered last.
    mutating func join(_ delta: Delta, of changes: ChangeSet? = nil) {
        if let open, !open.group.isEmpty {
            self.open?.append(delta, of: changes)
        } else if !undoGroups.isEmpty {
            undoGroups.append(delta)
        }
    }

    /// Notes that something else than registered changes changed what is shown, as a merge does.
    mutating func interrupt() { open?.interrupt() }

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
        if open == nil { open = OpenGroup(UndoGroup()) }
        open?.depth += 1
        if open?.group.name.isEmpty ?? false { open?.group.name = name }
    }

    mutating func end() {
        open?.depth -= 1
        if open?.depth == 0 { endAll() }
    }

    /// Ends all groups that are open; one whose changes were changed back is not kept.
    mutating func endAll() {
        guard let group = open else { return }
        open = nil
        if group.hasEffect { pushUndo(group.group) }
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

    mutating func pushUndo(_ group: UndoGroup) { if !group.isEmpty { undoGroups.push(group) } }

    mutating func pushRedo(_ group: UndoGroup) { if !group.isEmpty { redoGroups.push(group) } }

    /// Forgets all changes; open groups go on, empty.
    mutating func removeAll() {
        undoGroups.removeAll()
        redoGroups.removeAll()
        guard let former = open else { return }
        open = OpenGroup(UndoGroup(name: former.group.name))
        open?.depth = former.depth
    }
}

extension UndoStack {
    /// What is wrong with the groups, in words; nothing if all is sound.
    var brokenInvariants: [String] {
        let isRemembering = !undoGroups.isEmpty || open?.hasEffect ?? false || !redoGroups.isEmpty
        return undoGroups.brokenInvariants + redoGroups.brokenInvariants
            + (isRemembering && !isEnabled ? ["changes are remembered, and are not to be"] : [])
            + (open.map { $0.depth < 1 } ?? false ? ["an open group was ended"] : [])
    }
}
