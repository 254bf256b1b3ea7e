import Synchronization

/// The changes of a results controller, for one consumer, who may be anywhere and take any time.
///
/// What happens while the consumer is busy becomes one change. Each begins where the one before it ended.
public struct ResultsChanges<Identifier: Hashable & Sendable>: AsyncSequence, Sendable {
    private let mailbox: ResultsMailbox<Identifier>
    private let signals: AsyncStream<Void>

    /// What is put into a mailbox that the caller shall keep.
    init(keeping body: (ResultsMailbox<Identifier>) -> Void) {
        let (signals, continuation) = AsyncStream<Void>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        mailbox = ResultsMailbox(continuation)
        self.signals = signals
        body(mailbox)
    }

    /// Takes one change after another.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let mailbox: ResultsMailbox<Identifier>
        fileprivate var signals: AsyncStream<Void>.Iterator

        /// The next change, or `nil` when the controller is gone.
        public mutating func next() async -> ResultsChange<Identifier>? {
            await next(isolation: #isolation)
        }

        /// The next change, or `nil` when the controller is gone.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async -> ResultsChange<Identifier>? {
            while await signals.next(isolation: actor) != nil {
                if let change = mailbox.take() { return change }
            }
            return nil
        }
    }

    /// Begins to take changes.
    public func makeAsyncIterator() -> Iterator {
        Iterator(mailbox: mailbox, signals: signals.makeAsyncIterator())
    }
}

/// Where changes wait for a consumer, as one.
final class ResultsMailbox<Identifier: Hashable & Sendable>: Sendable {
    private let continuation: AsyncStream<Void>.Continuation
    private let waiting = Mutex<ResultsChange<Identifier>?>(nil)

    init(_ continuation: AsyncStream<Void>.Continuation) { self.continuation = continuation }

    /// Adds a change; returns whether there is still somebody to take it.
    func put(_ change: ResultsChange<Identifier>) -> Bool {
        waiting.withLock { $0 = $0?.followed(by: change) ?? change }
        if case .terminated = continuation.yield() { return false }
        return true
    }

    /// Takes what waits; `nil` where it came to nothing.
    func take() -> ResultsChange<Identifier>? {
        let change = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        return change.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Ends the changes when what waits was taken.
    func close() { continuation.finish() }
}
