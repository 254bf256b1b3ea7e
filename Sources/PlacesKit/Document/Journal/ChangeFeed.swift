import Synchronization

/// Hands the lines of commits to those who follow a document, once they are on disk.
final class ChangeFeed: Sendable {
    typealias Continuation = AsyncThrowingStream<ChangeRecord, any Error>.Continuation

    private struct State {
        var followers: [Int: Continuation] = [:]
        var next = 0
        var isFinished = false
        /// Lines that are not known to be on disk.
        var waiting: [[UInt8]] = []
    }

    private let state = Mutex(State())

    /// Whether somebody has the lines.
    var isFollowed: Bool { state.withLock { !$0.followers.isEmpty } }

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
        do {
            for line in lines {
                let record = try ChangeRecord(line: line)
                for follower in followers { follower.yield(record) }
            }
        } catch {
            // Nobody must go on with a gap.
            for follower in followers { follower.finish(throwing: error) }
        }
    }

    /// Lets somebody have all lines from now on, until there are no more.
    func follow(_ continuation: Continuation) {
        let number = state.withLock { state -> Int? in
            guard !state.isFinished else { return nil }
            state.next += 1
            state.followers[state.next] = continuation
            return state.next
        }
        guard let number else { return continuation.finish() }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { state in _ = state.followers.removeValue(forKey: number) }
        }
    }

    /// Lets nobody wait any longer.
    func finish() {
        let followers = state.withLock { state in
            state.isFinished = true
            return state.followers.values
        }
        for follower in followers { follower.finish() }
    }
}
