/// A sequence of changes, in order, for one consumer in any isolation.
///
/// A few changes wait while the consumer is busy. If there are more, the stream joins the waiting
/// changes into one. So nothing is lost, and what waits is no larger than what differs.
public struct ChangeStream<Change: Sendable>: AsyncSequence, Sendable {
    private let makeIterator: @Sendable () -> Iterator

    init(_ reader: MailboxReader<Change>) { self.init(reader) { [$0] } }

    // What waited may have come to nothing.
    init<Kept>(
        _ reader: MailboxReader<Kept>, _ changes: @escaping @Sendable (Kept) -> [Change]
    ) {
        makeIterator = {
            var iterator = reader.makeIterator()
            return Iterator { actor in
                while let kept = await iterator.next(isolation: actor) {
                    if case let changes = changes(kept), !changes.isEmpty { return changes }
                }
                return []
            }
        }
    }

    /// Iterates over the changes.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let wait: (isolated (any Actor)?) async -> [Change]
        /// What was told at once and is still to come.
        fileprivate var rest: ArraySlice<Change> = []

        fileprivate init(_ wait: @escaping (isolated (any Actor)?) async -> [Change]) {
            self.wait = wait
        }

        /// Waits for the next change; returns `nil` when the stream has ended.
        public mutating func next() async -> Change? { await next(isolation: #isolation) }

        /// Waits for the next change; returns `nil` when the stream has ended.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Change? {
            if rest.isEmpty { rest = await wait(actor)[...] }
            return rest.popFirst()
        }
    }

    /// Begins to iterate over the changes.
    public func makeAsyncIterator() -> Iterator { makeIterator() }
}

extension ObjectChanges {
    /// What the changes weigh while they wait: they keep the parts of the graph that they replaced, so large
    /// ones count as several.
    var weight: Int {
        known?.tables.reduce(1) { $0 + $1.count / 100 } ?? 1
    }
}
