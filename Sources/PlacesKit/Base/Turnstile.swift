import Synchronization

/// Lets those who come have their turn, one after the other, in the order in which they came.
///
/// While somebody waits for a turn or has it, those that begin queue up behind. Nobody's turn is a lock, though: whoever
/// waits for one that does not end may go on without.
package final class Turnstile: Sendable {
    private struct State {
        var isTaken = false
        /// Who waits, and hears whether it is their turn, in the order in which they came.
        var waiting: [Waiter<Bool>] = []
        /// How many turns have ended.
        var endedCount = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Whether somebody has a turn, so that whoever begins has to wait for one of his own.
    package var isTaken: Bool { state.withLock { $0.isTaken } }

    /// How many wait for their turn.
    package var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Runs `body` when it is its turn.
    ///
    /// With `patience` it runs without a turn, beside others, when none of their turns has ended for that long.
    ///
    /// - Throws: `CancellationError` where the task is cancelled while it waits, or what `body` throws.
    nonisolated(nonsending) package func withTurn<Result>(
        _ patience: (limit: Duration, clock: any Clock<Duration>)? = nil,
        _ body: nonisolated(nonsending) () async throws -> Result
    ) async throws -> Result {
        let waiter = enter()
        let isOurs =
            if let waiter { try await elsewhere { try await wait(waiter, patience) } } else { true }
        defer { if isOurs { pass() } }
        return try await body()
    }

    /// Takes the turn, or a place among those who wait.
    private func enter() -> Waiter<Bool>? {
        state.withLock { state in
            guard state.isTaken else {
                state.isTaken = true
                return nil
            }
            let waiter = Waiter<Bool>()
            state.waiting.append(waiter)
            return waiter
        }
    }

    private func wait(
        _ waiter: Waiter<Bool>, _ patience: (limit: Duration, clock: any Clock<Duration>)?
    ) async throws -> Bool {
        let watch = patience.map { patience in
            Task.detached { [self] in await give(patience.limit, on: patience.clock, to: waiter) }
        }
        defer { watch?.cancel() }
        return try await withTaskCancellationHandler {
            try await waiter.result()
        } onCancel: {
            leave(waiter, .failure(CancellationError()))
        }
    }

    /// Lets one who waits go on without a turn when nobody's turn ended for some time.
    private func give(
        _ limit: Duration, on clock: any Clock<Duration>, to waiter: Waiter<Bool>
    ) async {
        var endedCount = -1
        while case let latest = state.withLock({ $0.endedCount }), latest != endedCount {
            endedCount = latest
            guard (try? await clock.sleep(for: limit)) != nil else { return }
        }
        leave(waiter, .success(false))
    }

    private func leave(_ waiter: Waiter<Bool>, _ result: Result<Bool, any Error>) {
        state.withLock { $0.waiting.removeAll { $0 === waiter } }
        waiter.finish(result)
    }

    /// Ends a turn: it is that of the next one who still wants it.
    private func pass() {
        state.withLock { $0.endedCount += 1 }
        while let next = next() {
            if next.finish(.success(true)) { return }
        }
    }

    private func next() -> Waiter<Bool>? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
    }
}
