/// Changes in the order in which they happened, for one consumer, who may be anywhere and take any time.
///
/// A few wait for a consumer who is busy; if there are more, those that wait become one. So nothing is
/// lost, and what waits is no more than what differs.
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

    /// Takes one change after another.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var iterator: MailboxReader<Change>.Iterator
        fileprivate let isTold: @Sendable (Change) -> Bool

        /// The next change, or `nil` when there will be no more.
        public mutating func next() async -> Change? { await next(isolation: #isolation) }

        /// The next change, or `nil` when there will be no more.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Change? {
            while let change = await iterator.next(isolation: actor) {
                if isTold(change) { return change }
            }
            return nil
        }
    }

    /// Begins to take changes.
    public func makeAsyncIterator() -> Iterator {
        Iterator(iterator: reader.makeIterator(), isTold: isTold)
    }
}

extension ObjectChanges {
    /// What the changes weigh while they wait: they keep the parts of the graph that they replaced, so large
    /// ones count as several.
    var weight: Int {
        known?.tables.reduce(1) {
            $0 + ($1.inserted.count + $1.updated.count + $1.deleted.count) / 100
        } ?? 1
    }
}
