import Synchronization

/// A transport that has only so many requests under way at a time, and lets others wait their turn.
public struct ConcurrencyLimitedTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let turns: Turns

    /// Creates the layer on top of another transport.
    public init(_ base: any HTTPTransport, limit: Int) {
        self.base = base
        turns = Turns(limit: max(1, limit))
    }

    /// Waits for a turn and sends a request.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await turns.wait()
        defer { turns.pass() }
        return try await base.send(request)
    }
}

/// Turns that are taken first come, first served.
private final class Turns: Sendable {
    private struct State {
        var free: Int
        var waiters: [Waiter<Void>] = []
    }

    private let state: Mutex<State>

    init(limit: Int) {
        state = Mutex(State(free: limit))
    }

    func wait() async throws {
        try Task.checkCancellation()
        let waiter = Waiter<Void>()
        let isFree = state.withLock { state in
            guard state.free == 0 else {
                state.free -= 1
                return true
            }
            state.waiters.append(waiter)
            return false
        }
        guard !isFree else { return }
        try await withTaskCancellationHandler {
            try await waiter.result()
        } onCancel: {
            guard waiter.finish(.failure(CancellationError())) else { return }
            state.withLock { state in state.waiters.removeAll { $0 === waiter } }
        }
    }

    /// Gives the turn to the next one who still wants it.
    func pass() {
        while true {
            let next = state.withLock { state -> Waiter<Void>? in
                guard state.waiters.isEmpty else { return state.waiters.removeFirst() }
                state.free += 1
                return nil
            }
            guard let next, !next.finish(.success(())) else { return }
        }
    }
}
