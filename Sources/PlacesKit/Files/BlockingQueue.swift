import Dispatch

/// Runs blocking work on a thread of its own, one piece after the other.
///
/// The threads of Swift's tasks are few and must not wait for a disk.
struct BlockingQueue: Sendable {
    private let queue: DispatchQueue

    /// A queue whose label says whose it is.
    init(_ label: String) {
        queue = DispatchQueue(label: label)
    }

    /// Runs `body` and suspends the caller until it is done.
    nonisolated(nonsending) func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            queue.async {
                do throws(Failure) {
                    continuation.resume(returning: .success(try body()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }

    /// Runs `body` when all that was handed in before is done; nobody waits for it.
    func submit(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }
}
