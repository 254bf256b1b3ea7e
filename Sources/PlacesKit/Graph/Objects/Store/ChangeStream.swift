/// A sequence of changes, in order, for one consumer in any isolation.
///
/// A few changes wait while the consumer is busy. If there are more, the stream joins the waiting
/// changes into one. So nothing is lost, and what waits is no larger than what differs.
public struct ChangeStream<Change: Sendable>: AsyncSequence, Sendable {
    private let reader: MailboxReader<Change>
    private let isTold: @Sendable (Change) -> Bool

    init(
        _ reader: MailboxReader<Change>,
        where isTold: @escaping @Sendable (Change) -> Bool = { _ in true }
    ) {
        self.reader = reader
        self.isTold = isTold
    }

    /// Iterates over the changes.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var iterator: MailboxReader<Change>.Iterator
        fileprivate let isTold: @Sendable (Change) -> Bool

        /// Waits for the next change; returns `nil` when the stream has ended.
        public mutating func next() async -> Change? { await next(isolation: #isolation) }

        /// Waits for the next change; returns `nil` when the stream has ended.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Change? {
            while let change = await iterator.next(isolation: actor) {
                if isTold(change) { return change }
            }
            return nil
        }
    }

    /// Begins to iterate over the changes.
    public func makeAsyncIterator() -> Iterator {
        Iterator(iterator: reader.makeIterator(), isTold: isTold)
    }
}

extension ObjectChanges {
    /// What the changes weigh while they wait: they keep the parts of the graph that they replaced, so large
    /// ones count as several.
    var weight: Int {
        known?.tables.reduce(1) { $0 + $1.count / 100 } ?? 1
    }
}
