import Synchronization

/// Whether somebody still wants what a thread works on, which knows nothing of tasks.
package final class Cancellation: Sendable {
    private let isCancelled = Atomic(false)

    package init() {}

    package func cancel() {
        isCancelled.store(true, ordering: .relaxed)
    }

    /// Ends work that nobody wants.
    package func check() throws(CancellationError) {
        if isCancelled.load(ordering: .relaxed) { throw CancellationError() }
    }
}

extension BlockingQueue {
    /// Runs `body`, which is told when the caller is cancelled, and is not begun if that is so already.
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
