import Synchronization

/// Tells a thread, which belongs to no task, whether its work was cancelled.
package final class Cancellation: Sendable {
    private let isCancelled = Atomic(false)

    package init() {}

    package func cancel() {
        isCancelled.store(true, ordering: .relaxed)
    }

    /// Throws if the work was cancelled.
    package func check() throws(CancellationError) {
        if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
    }
}

extension BlockingQueue {
    /// Runs `body`, which can ask whether the caller was cancelled; if it was before, this throws.
    nonisolated(nonsending) package func run<Value: Sendable>(
        _ body: @escaping @Sendable (Cancellation) throws -> Value
    ) async throws -> Value {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await run { () throws -> Value in
                try cancellation.check()
                return try body(cancellation)
            }
        } onCancel: {
            cancellation.cancel()
        }
    }
}
