/// Where the changes of a transaction begin, and who wants to know of the first of them.
///
/// The rows that changed are noted in the tables' accesses, whose shortcuts note them too.
///
/// - Invariant: Whoever wants to know of the first note was told only if a row is noted.
struct ChangeRecorder {
    private enum FirstNote {
        case unheard
        case awaited(() -> Void)
        case told(() -> Void)
    }

    /// The graph as of the last call of `takeChanges`.
    var base: Graph
    /// How often the graph was looked at or replaced; another number means that it may differ.
    private(set) var version = 0
    /// Whether somebody wants to know of notes.
    var isWatched = false
    private var firstNote = FirstNote.unheard

    /// Begins with a graph.
    init(_ graph: Graph) { base = graph }

    /// Begins again with a graph, in which nothing is noted.
    mutating func restart(with graph: Graph) {
        base = graph
        version &+= 1
        if case .told(let call) = firstNote { firstNote = .awaited(call) }
    }

    /// Whether somebody is called when a row is noted for the first time since the last restart.
    var isAwaited: Bool { if case .unheard = firstNote { false } else { true } }

    /// Whether he was.
    var isTold: Bool { if case .told = firstNote { true } else { false } }

    /// Calls a closure, from now on, when a row is noted for the first time since the last restart.
    mutating func onFirstNote(_ call: @escaping () -> Void) {
        firstNote = .awaited(call)
        isWatched = true
    }

    /// Tells of a note, if it is the first.
    mutating func tellFirstNote() {
        guard case .awaited(let call) = firstNote else { return }
        firstNote = .told(call)
        call()
    }
}
