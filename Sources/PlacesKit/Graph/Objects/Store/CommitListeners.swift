/// Somebody who is told of the commits of a store.
struct CommitListener: Sendable {
    /// Hears of a commit; returns what it lets go of, which may free bytes whose owner runs code then.
    ///
    /// The store is locked meanwhile: this is quick, asks nothing of the store, and wakes nobody who may.
    var hear: @Sendable (CommittedChanges) -> (any Sendable)? = { _ in nil }
    /// Is called when the store is not locked any more, after one commit or several.
    var wake: @Sendable () -> Void = {}
    /// Is called when there will be no more commits to hear of.
    var whenRemoved: @Sendable () -> Void = {}
}

/// Who is told of the commits of a store, and in which order.
///
/// - Each listener hears of all commits made while it is there, once and in their order, but of none of its own.
/// - Of one commit the listeners hear in the order in which they came. The log of a document comes before anybody
///   else can, so what somebody has heard of is in the log.
struct CommitListeners: Sendable {
    /// The listeners, by ascending tokens.
    private var listeners: ContiguousArray<(token: Int, listener: CommitListener)> = []
    private var nextToken = 0

    /// How many there are.
    var count: Int { listeners.count }

    /// Adds a listener; returns the token by which it is removed.
    mutating func add(_ listener: CommitListener) -> Int {
        defer { nextToken += 1 }
        listeners.append((nextToken, listener))
        return nextToken
    }

    /// Removes the listener of a token and returns it, if it is there.
    mutating func remove(_ token: Int) -> CommitListener? {
        guard let index = listeners.firstIndex(where: { $0.token == token }) else { return nil }
        return listeners.remove(at: index).listener
    }

    /// Removes all listeners and returns them.
    mutating func removeAll() -> [CommitListener] {
        defer { listeners = [] }
        return listeners.map(\.listener)
    }

    /// Wakes everybody but one.
    func wake(exceptFor committer: Int?) {
        for (token, listener) in listeners where token != committer { listener.wake() }
    }

    /// Tells everybody but one of a commit; returns what they let go of.
    func tell(_ commit: CommittedChanges, exceptFor committer: Int?) -> [any Sendable] {
        listeners.compactMap { $0.token == committer ? nil : $0.listener.hear(commit) }
    }
}
