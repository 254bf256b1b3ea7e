import Synchronization

/// Hands the lines of commits to those who follow a document, once they are on disk.
final class ChangeFeed: Sendable {
    typealias Continuation = AsyncThrowingStream<ChangeRecord, any Error>.Continuation

    private struct State {
        var followers: [Int: Continuation] = [:]
        var next = 0
        /// Lines that are not known to be on disk.
        var waiting: [[UInt8]] = []
    }

    private let state = Mutex(State())

    /// Adds lines that are to be handed out when they are on disk.
    func add(_ lines: some Sequence<[UInt8]>) {
        state.withLock { state in
            if !state.followers.isEmpty { state.waiting += lines }
        }
    }

    /// Hands out the lines that were added: all are on disk.
    func deliver() {
        let (followers, lines) = state.withLock { state in
            defer { state.waiting = [] }
            return (Array(state.followers.values), state.waiting)
        }
        for line in lines {
            guard let record = try? ChangeRecord(line: line) else { continue }
            for follower in followers { follower.yield(record) }
        }
    }

    /// Lets somebody have all lines from now on.
    func follow(_ continuation: Continuation) {
        let number = state.withLock { state in
            state.next += 1
            state.followers[state.next] = continuation
            return state.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { state in _ = state.followers.removeValue(forKey: number) }
        }
    }

    /// Lets nobody wait any longer.
    func finish() {
        for follower in state.withLock({ $0.followers.values }) { follower.finish() }
    }
}
