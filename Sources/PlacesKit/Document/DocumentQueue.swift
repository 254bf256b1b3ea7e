import Dispatch

/// Runs blocking work of one document on a thread of its own, one piece after the other.
///
/// The threads of Swift's tasks are few and must not wait for a disk.
struct DocumentQueue: Sendable {
    private let queue = DispatchQueue(label: "PlacesKit.Document")

    /// Runs `body` and suspends the caller until it is done.
    nonisolated(nonsending) func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws(DocumentError) -> Value {
        let result: Result<Value, any Error> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result { try body() }) }
        }
        switch result {
        case .success(let value): return value
        case .failure(let error as DocumentError): throw error
        case .failure(let error as FileSystemError): throw .fileSystem(error)
        case .failure(let error):
            preconditionFailure("the document's directory threw an error of no type: \(error)")
        }
    }
}
