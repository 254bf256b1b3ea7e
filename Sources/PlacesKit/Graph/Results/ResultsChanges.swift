/// A sequence of the changes of a results controller, for one consumer in any isolation.
///
/// Changes for a busy consumer become one. Each change begins where the previous one ended, unless
/// `withoutTelling` hid something between them.
public struct ResultsChanges<Identifier: Hashable & Sendable>: AsyncSequence, Sendable {
    private let reader: MailboxReader<ResultsBacklog<Identifier>>

    /// What is put into a mailbox that the caller shall keep.
    init(keeping body: (ResultsMailbox<Identifier>) -> Void) {
        let (mailbox, reader) = ResultsMailbox<Identifier>.make(limit: 0) { waiting in
            let last = waiting.removeLast()
            waiting[0].append(last)
            return []
        }
        self.reader = reader
        body(mailbox)
    }

    /// Iterates over the changes.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var iterator: MailboxReader<ResultsBacklog<Identifier>>.Iterator

        /// Waits for the next change; returns `nil` after the controller was released.
        public mutating func next() async -> ResultsChange<Identifier>? {
            await next(isolation: #isolation)
        }

        /// Waits for the next change; returns `nil` after the controller was released.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async -> ResultsChange<Identifier>? {
            while let backlog = await iterator.next(isolation: actor) {
                // It may have come to nothing.
                if case let change = backlog.change, !change.isEmpty { return change }
            }
            return nil
        }
    }

    /// Begins to iterate over the changes.
    public func makeAsyncIterator() -> Iterator { Iterator(iterator: reader.makeIterator()) }
}

/// Where changes wait for a consumer, as one.
typealias ResultsMailbox<Identifier: Hashable & Sendable> = Mailbox<ResultsBacklog<Identifier>>

extension Mailbox {
    /// Adds a change.
    func put<Identifier>(
        _ change: ResultsChange<Identifier>
    ) where Element == ResultsBacklog<Identifier> {
        put(ResultsBacklog(change))
    }
}
