import Synchronization

/// A save that reached a store.
public struct StoreCommit: Sendable {
    /// How many saves there were, this one included.
    public let number: Int
    /// What the save changed.
    public let objects: ObjectChanges
}

extension GraphStore {
    /// All saves from now on, whichever context makes them, once and in order.
    ///
    /// ```swift
    /// for await commit in store.commits { log("\(commit.number): \(commit.objects.inserted)") }
    /// ```
    /// Any number of consumers may ask for a sequence of their own. However slowly one consumes it,
    /// no save is lost to it or merged with another; each waits until it is its turn. The sequence
    /// ends with the store.
    public var commits: AsyncStream<StoreCommit> { feed.subscribe() }
}

/// Hands commits to those who wait for them.
final class CommitFeed: Sendable {
    private struct State {
        var consumers: [Int: AsyncStream<StoreCommit>.Continuation] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    deinit {
        for consumer in state.withLock({ $0.consumers.values }) { consumer.finish() }
    }

    /// All commits from now on.
    func subscribe() -> AsyncStream<StoreCommit> {
        let (stream, continuation) = AsyncStream<StoreCommit>.makeStream()
        let number = state.withLock { state in
            state.next += 1
            state.consumers[state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { state in _ = state.consumers.removeValue(forKey: number) }
        }
        return stream
    }

    /// Hands a commit to all consumers.
    func publish(_ commit: StoreCommit) {
        state.withLock { state in
            for consumer in state.consumers.values { consumer.yield(commit) }
        }
    }
}
