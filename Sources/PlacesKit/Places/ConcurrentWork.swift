/// Work on several inputs, a few at a time; results come in the order in which they are finished.
///
/// Whoever starts it has to cancel it when they need no more results. After it is finished,
/// cancelling has no effect.
struct ConcurrentWork<Value: Sendable>: Sendable {
    /// An event for the input with an index.
    enum Event: Sendable {
        case began(Int)
        case finished(Int, Result<Value, any Error>)
    }

    /// The events, until all work is done.
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

    /// Cancels the work that is not finished.
    func cancel() { task.cancel() }
}
