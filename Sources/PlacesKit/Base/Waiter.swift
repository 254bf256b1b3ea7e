import Synchronization

/// Waits for a result, which may arrive before the waiting begins; only the first result counts.
package final class Waiter<Value: Sendable>: Sendable {
    private enum Phase {
        case idle
        case waiting(CheckedContinuation<Value, any Error>)
        case finished(Result<Value, any Error>)
    }

    private let phase = Mutex(Phase.idle)

    package init() {}

    /// Whether there is a result.
    package var isFinished: Bool {
        phase.withLock { if case .finished = $0 { true } else { false } }
    }

    /// The result, as soon as it is available.
    package func result() async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let result = phase.withLock { phase -> Result<Value, any Error>? in
                if case .finished(let result) = phase { return result }
                phase = .waiting(continuation)
                return nil
            }
            if let result { continuation.resume(with: result) }
        }
    }

    /// Sets the result; returns false if there is one already.
    @discardableResult
    package func finish(_ result: Result<Value, any Error>) -> Bool {
        let previous = phase.withLock { phase in
            let previous = phase
            if case .finished = previous { return previous }
            phase = .finished(result)
            return previous
        }
        switch previous {
        case .finished: return false
        case .waiting(let continuation): continuation.resume(with: result)
        case .idle: break
        }
        return true
    }
}
