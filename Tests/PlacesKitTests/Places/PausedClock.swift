import Foundation
import Synchronization

/// Stops who asks for the time on a thread of a library's own until it is let go, so that a test comes
/// between two steps of what happens there.
final class PausedClock: Sendable {
    private struct State {
        var isArmed = false
        var isHolding = false
    }

    private let state = Mutex(State())
    private let gate = DispatchSemaphore(value: 0)

    /// Whether somebody waits.
    var isHolding: Bool { state.withLock { $0.isHolding } }

    /// Stops the next one.
    func arm() { state.withLock { $0.isArmed = true } }

    /// Lets go whoever waits.
    func release() { gate.signal() }

    /// Is called where the time is asked for.
    func pass() {
        // Such a thread runs no task; an actor must not be stopped.
        guard withUnsafeCurrentTask(body: { $0 == nil }) else { return }
        let isStopped = state.withLock { state in
            defer { state.isArmed = false }
            state.isHolding = state.isArmed
            return state.isArmed
        }
        guard isStopped else { return }
        gate.wait()
        state.withLock { $0.isHolding = false }
    }
}

/// Lets something happen when a task asks for the time, so that it comes in the middle of what an actor does in one go.
final class Interruption: Sendable {
    private let body = Mutex<(@Sendable () -> Void)?>(nil)

    /// Lets something happen at the next question.
    func arm(_ body: @escaping @Sendable () -> Void) { self.body.withLock { $0 = body } }

    /// Is called where the time is asked for.
    func pass() {
        // What happens asks for the time, too.
        guard withUnsafeCurrentTask(body: { $0 != nil }) else { return }
        let body = body.withLock { body in
            defer { body = nil }
            return body
        }
        body?()
    }
}
