import PlacesBase

/// Runs blocking work of one document on a thread of its own, one piece after the other.
struct DocumentQueue: Sendable {
    private let queue = BlockingQueue("PlacesKit.Document")

    /// Runs `body` and suspends the caller until it is done.
    nonisolated(nonsending) func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws(DocumentError) -> Value {
        let result = await queue.run { () throws(Never) -> Result<Value, any Error> in
            Result { try body() }
        }
        switch result {
        case .success(let value): return value
        case .failure(let error): throw DocumentError(error)
        }
    }

    /// Runs `body` when all that was handed in before is done; nobody waits for it.
    func submit(_ body: @escaping @Sendable () -> Void) { queue.submit(body) }
}
