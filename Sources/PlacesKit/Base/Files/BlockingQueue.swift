import Dispatch
import Synchronization

/// Runs blocking work on a thread of its own, one piece after the other.
///
/// The threads of Swift's tasks are few and must not wait for a disk.
package struct BlockingQueue: Sendable {
    private let queue: DispatchQueue

    /// Creates a queue with a label that says what it is for.
    package init(_ label: String) {
        queue = DispatchQueue(label: label)
    }

    /// Runs `body` and suspends the caller until it is done.
    ///
    /// By then the queue has released `body` and everything that `body` holds, such as a document's
    /// lock.
    nonisolated(nonsending) package func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let work = Work(body)
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work.finish()) }
        }
        return try result.get()
    }

    /// Runs `body` after all work that was submitted before; nobody waits for it.
    package func submit(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }
}

/// Work that is done once.
private final class Work<Value: Sendable, Failure: Error>: Sendable {
    private let body: Mutex<(@Sendable () throws(Failure) -> Value)?>

    init(_ body: @escaping @Sendable () throws(Failure) -> Value) { self.body = Mutex(body) }

    /// Does the work and releases it.
    func finish() -> Result<Value, Failure> {
        let body = body.withLock { body in
            defer { body = nil }
            return body
        }
        guard let body else { preconditionFailure("work that is done once was asked for again") }
        return Result { () throws(Failure) in try body() }
    }
}
