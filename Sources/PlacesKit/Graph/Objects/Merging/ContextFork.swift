/// What a context is a fork of, the commit as of which it is one, and how it follows its origin and saves to it.
///
/// - Invariant: A store knows which of its commits the context is based on, so that it remembers what others
///   commit since.
struct ContextFork {
    /// What a context forks and saves to.
    enum Origin {
        /// A store, which knows by the token what the context is based on.
        case store(GraphStore, token: Int)
        /// A context; this one is its scratchpad.
        case parent(ManagedObjectContext)
        /// Nothing any more, for the fork has ended.
        case nothing
    }

    private(set) var origin: Origin
    /// What the origin had as of the last save, rollback or refresh.
    private(set) var committed: CommittedGraph
    /// How often something was saved.
    private var saves = 0
    /// The token of the listener to the store, or to the parent.
    var listener: Int?
    /// Whether what others save shows in the context by itself.
    var mergesAutomatically = false
    /// What a save does where another context changed the same first.
    var mergePolicy = MergePolicy.error
    /// Who makes the changes, for the store's history.
    var author: String?

    init(of origin: Origin, showing committed: CommittedGraph) {
        self.origin = origin
        self.committed = committed
    }

    /// The context that this one is a scratchpad of, if any.
    var parent: ManagedObjectContext? {
        if case .parent(let parent) = origin { parent } else { nil }
    }

    /// Whether anything was saved.
    var hasSaved: Bool { saves > 0 }

    /// What pending changes stand on.
    var saved: SavedGraph {
        SavedGraph(graph: committed.graph, number: committed.number, saves: saves)
    }

    /// Lets the context be based on another commit, which may be one of its own.
    mutating func move(to commit: CommittedGraph, isOwn: Bool = false) {
        committed = commit
        if isOwn { saves += 1 }
        if case .store(let store, let token) = origin { store.move(token, to: commit.number) }
    }

    /// What was committed in the origin, from the commit after one of a number on up to the present one;
    /// `nil` where that is not remembered.
    func writes(since number: Int, upTo last: Int) -> [[TableChanges]]? {
        switch origin {
        case .store(let store, _): store.changes(since: number, upTo: last)
        case .parent(let parent): parent.children.changes(since: number, upTo: last)
        case .nothing: nil
        }
    }

    /// What was committed in a store since the commit of a number, where reading it takes less than
    /// comparing two graphs.
    func fewWrites(since number: Int) -> [[TableChanges]]? {
        if case .store(let store, _) = origin { store.fewChanges(since: number) } else { nil }
    }

    /// Ends the fork: nothing needs to be remembered for it, and it keeps no parent.
    ///
    /// - Returns: The state of the parent, if there was one.
    mutating func end() -> ContextState? {
        defer { origin = .nothing }
        switch origin {
        case .store(let store, let token):
            store.remove(token)
            if let listener { store.removeListener(listener) }
            return nil
        case .parent(let parent):
            parent.listeners.finish { [parent, listener] in
                parent.children.remove()
                if let listener { parent.removeListener(listener) }
            }
            return parent.state
        case .nothing: return nil
        }
    }
}
