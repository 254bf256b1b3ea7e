import Synchronization

/// Lets transactions that met a conflict have their turn, one after the other.
///
/// While somebody waits for a turn or has it, those that begin queue up behind: so only those that were
/// under way already can be faster than the one whose turn it is, each once.
final class TransactionQueue: Sendable {
    private struct State {
        var isTaken = false
        /// Who waits, in the order in which they came.
        var waiting: [(ticket: Int, continuation: CheckedContinuation<Void, any Error>)] = []
        var nextTicket = 0
        /// Who was cancelled before it could wait.
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())

    /// Whether somebody has a turn, so that whoever begins has to wait for one of his own.
    var isTaken: Bool { state.withLock { $0.isTaken } }

    /// How many wait for their turn.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Runs `body` when it is its turn.
    ///
    /// - Throws: `CancellationError` where the task is cancelled while it waits, or what `body` throws.
    func withTurn<Result>(_ body: () async throws -> Result) async throws -> Result {
        try await take()
        defer { pass() }
        return try await body()
    }

    private func take() async throws {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Void, any Error>) in
                let resumption: (() -> Void)? = state.withLock { state in
                    if state.cancelled.remove(ticket) != nil {
                        return { continuation.resume(throwing: CancellationError()) }
                    }
                    if !state.isTaken {
                        state.isTaken = true
                        return { continuation.resume() }
                    }
                    state.waiting.append((ticket, continuation))
                    return nil
                }
                resumption?()
            }
        } onCancel: {
            cancel(ticket)
        }
        state.withLock { _ = $0.cancelled.remove(ticket) }
    }

    private func cancel(_ ticket: Int) {
        let continuation = state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0.ticket == ticket }) else {
                state.cancelled.insert(ticket)
                return nil as CheckedContinuation<Void, any Error>?
            }
            return state.waiting.remove(at: index).continuation
        }
        continuation?.resume(throwing: CancellationError())
    }

    /// Ends a turn: it is the next one's.
    private func pass() {
        let next = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil as CheckedContinuation<Void, any Error>?
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume()
    }
}
