import Synchronization

/// Lets transactions that met a conflict have their turn, one after the other.
///
/// While somebody waits for a turn or has it, those that begin queue up behind: so only those that were
/// under way already can be faster than the one whose turn it is, each once. Nobody's turn is a lock, though: whoever
/// waits for one that does not end may go on without.
final class TransactionQueue: Sendable {
    private struct State {
        var isTaken = false
        /// Who waits, in the order in which they came.
        var waiting: [(ticket: Int, continuation: Waiting)] = []
        var nextTicket = 0
        /// How many turns have ended.
        var endedCount = 0
        /// Who was cancelled before it could wait.
        var cancelled: Set<Int> = []

        /// Takes one who waits out of the queue.
        mutating func removeWaiting(_ ticket: Int) -> Waiting? {
            waiting.firstIndex { $0.ticket == ticket }.map { waiting.remove(at: $0).continuation }
        }
    }

    /// Somebody who waits, and hears whether it is their turn.
    private typealias Waiting = CheckedContinuation<Bool, any Error>

    private let state = Mutex(State())

    /// Whether somebody has a turn, so that whoever begins has to wait for one of his own.
    var isTaken: Bool { state.withLock { $0.isTaken } }

    /// How many wait for their turn.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Runs `body` when it is its turn; beside others, if it may and one of them keeps the turn for too long.
    ///
    /// - Throws: `CancellationError` where the task is cancelled while it waits, or what `body` throws.
    func withTurn<Result>(
        _ patience: (limit: Duration, clock: any Clock<Duration>)? = nil,
        _ body: () async throws -> Result
    ) async throws -> Result {
        let isOurs = try await take(patience)
        defer { if isOurs { pass() } }
        return try await body()
    }

    private func take(
        _ patience: (limit: Duration, clock: any Clock<Duration>)?
    ) async throws -> Bool {
        let ticket: Int? = state.withLock { state in
            guard state.isTaken else {
                state.isTaken = true
                return nil
            }
            state.nextTicket += 1
            return state.nextTicket
        }
        guard let ticket else { return true }
        var watch: Task<Void, Never>?
        defer { watch?.cancel() }
        let isOurs = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: Waiting) in
                let resumption: (() -> Void)? = state.withLock { state in
                    if state.cancelled.remove(ticket) != nil {
                        return { continuation.resume(throwing: CancellationError()) }
                    }
                    if !state.isTaken {
                        state.isTaken = true
                        return { continuation.resume(returning: true) }
                    }
                    state.waiting.append((ticket, continuation))
                    return nil
                }
                if let resumption { return resumption() }
                watch = patience.map { patience in
                    Task.detached { [self] in
                        await give(patience.limit, on: patience.clock, to: ticket)
                    }
                }
            }
        } onCancel: {
            cancel(ticket)
        }
        state.withLock { _ = $0.cancelled.remove(ticket) }
        return isOurs
    }

    /// Lets one who waits go on without a turn when nobody's turn ended for some time.
    private func give(_ limit: Duration, on clock: any Clock<Duration>, to ticket: Int) async {
        var endedCount = -1
        while case let latest = state.withLock({ $0.endedCount }), latest != endedCount {
            endedCount = latest
            guard (try? await clock.sleep(for: limit)) != nil else { return }
        }
        state.withLock { $0.removeWaiting(ticket) }?.resume(returning: false)
    }

    private func cancel(_ ticket: Int) {
        let continuation = state.withLock { state in
            let continuation = state.removeWaiting(ticket)
            if continuation == nil { state.cancelled.insert(ticket) }
            return continuation
        }
        continuation?.resume(throwing: CancellationError())
    }

    /// Ends a turn: it is the next one's.
    private func pass() {
        let next = state.withLock { state in
            state.endedCount += 1
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil as Waiting?
            }
            return state.waiting.removeFirst().continuation
        }
        next?.resume(returning: true)
    }
}
