/// Work on several inputs, a few at a time, whose results come in the order in which they are done.
///
/// Whoever begins it cancels it when they need no more of it; cancelling what is done does nothing.
struct ConcurrentWork<Value: Sendable>: Sendable {
    /// What happens to an input, told by its index.
    enum Event: Sendable {
        case began(Int)
        case finished(Int, Result<Value, any Error>)
    }

    /// What happens, until all is done.
    let events: AsyncStream<Event>
    private let task: Task<Void, Never>

    init<Input: Sendable>(
        _ inputs: [Input], limit: Int, _ work: @escaping @Sendable (Input) async throws -> Value
    ) {
        let (events, continuation) = AsyncStream<Event>.makeStream()
        self.events = events
        task = Task {
            await withTaskGroup(of: Void.self) { group in
                for (index, input) in inputs.enumerated() {
                    if index >= limit { await group.next() }
                    if Task.isCancelled { break }
                    group.addTask {
                        continuation.yield(.began(index))
                        do {
                            continuation.yield(.finished(index, .success(try await work(input))))
                        } catch {
                            continuation.yield(.finished(index, .failure(error)))
                        }
                    }
                }
            }
            continuation.finish()
        }
    }

    /// Gives up what is not done.
    func cancel() { task.cancel() }
}
