import Synchronization

/// Where elements wait for one consumer, who is elsewhere and may take any time; those that weigh too much
/// together are joined.
final class Mailbox<Element: Sendable>: Sendable {
    private struct Waiting {
        /// An element, and what it weighs; nothing if it was joined.
        typealias Entry = (element: Element, weight: Int)

        /// Those that are taken first, from the last to the first.
        var next: [Entry] = []
        /// Those that came after them.
        var later: [Entry] = []
        var total = 0

        var count: Int { next.count + later.count }

        mutating func take() -> Element? {
            if next.isEmpty { (next, later) = (later.reversed(), []) }
            guard let entry = next.popLast() else { return nil }
            total -= entry.weight
            return entry.element
        }
    }

    private let waiting = Mutex(Waiting())
    let signal: AsyncStream<Void>.Continuation
    private let limit: Int
    private let weight: @Sendable (Element) -> Int
    private let join: @Sendable (inout [Element]) -> [Element]

    private init(
        _ signal: AsyncStream<Void>.Continuation, limit: Int,
        weight: @escaping @Sendable (Element) -> Int,
        join: @escaping @Sendable (inout [Element]) -> [Element]
    ) {
        self.signal = signal
        self.limit = limit
        self.weight = weight
        self.join = join
    }

    /// Makes a mailbox.
    ///
    /// - Parameters:
    ///   - limit: How much elements that were not joined may weigh together, if they are more than one.
    ///   - weight: What an element weighs.
    ///   - join: Makes as few elements of some as can be; returns those that it made others of, but for those that it
    ///     joined where they are.
    /// - Returns: The mailbox, and the one who takes what is in it.
    static func make(
        limit: Int, weight: @escaping @Sendable (Element) -> Int = { _ in 1 },
        join: @escaping @Sendable (inout [Element]) -> [Element]
    ) -> (mailbox: Mailbox, reader: MailboxReader<Element>) {
        let (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let mailbox = Mailbox(signal, limit: limit, weight: weight, join: join)
        return (mailbox, MailboxReader(mailbox: mailbox, signals: signals))
    }

    /// Adds an element, and wakes who takes it.
    func put(_ element: Element) {
        withExtendedLifetime(add(element)) {}
        wake()
    }

    /// Adds an element; somebody has to call ``wake()`` then.
    ///
    /// - Returns: What goes, for others were made of it. With it bytes may be freed whose owner runs code then, so whoever
    ///   holds a lock passes it on.
    func add(_ element: Element) -> [Element] {
        waiting.withLock { waiting in
            waiting.later.append((element, weight(element)))
            waiting.total += waiting.later[waiting.later.count - 1].weight
            guard waiting.total > limit, waiting.count > 1 else { return [] }
            var elements = (waiting.next.reversed() + waiting.later).map(\.element)
            // What nobody else holds is joined where it is.
            waiting = Waiting()
            let former = join(&elements)
            waiting = Waiting(later: elements.map { ($0, 0) })
            return former
        }
    }

    /// Wakes who waits for elements.
    ///
    /// Nobody holds a lock meanwhile that is needed where the sequence ends: whoever cancels the task that takes it in
    /// holds that task's lock.
    func wake() { signal.yield() }

    /// How many elements wait.
    var count: Int { waiting.withLock(\.count) }

    /// Takes the first element that waits.
    fileprivate func take() -> Element? { waiting.withLock { $0.take() } }

    /// Ends the elements when those that wait were taken.
    func close() { signal.finish() }

    /// Calls a closure when nobody takes elements any more.
    func onTermination(_ body: @escaping @Sendable () -> Void) {
        signal.onTermination = { _ in body() }
    }
}

/// Takes elements out of a mailbox; when nobody keeps it, nobody takes them any more.
struct MailboxReader<Element: Sendable>: Sendable {
    fileprivate let mailbox: Mailbox<Element>
    fileprivate let signals: AsyncStream<Void>

    /// Takes one element after the other.
    struct Iterator {
        fileprivate let mailbox: Mailbox<Element>
        fileprivate var signals: AsyncStream<Void>.Iterator

        /// The next element, as soon as there is one; `nil` when the mailbox is closed.
        mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            while true {
                if let element = mailbox.take() { return element }
                guard await signals.next(isolation: actor) != nil else { return mailbox.take() }
            }
        }
    }

    func makeIterator() -> Iterator {
        Iterator(mailbox: mailbox, signals: signals.makeAsyncIterator())
    }
}
