import PlacesBase
import Synchronization

/// What feeds a sequence.
protocol StreamFeed: Sendable {
    /// Wakes whoever takes the sequence in, and ends it.
    var signal: AsyncStream<Void>.Continuation { get }
}

extension AsyncStream.Continuation: StreamFeed where Element == Void {
    var signal: AsyncStream<Void>.Continuation { self }
}

extension Mailbox: StreamFeed {}

/// What feeds sequences that somebody hands out, each until nobody takes it in any more.
///
/// A consumer may go on any thread, and while there is nothing to feed him with. The sequences end with this.
final class StreamFeeds<Feed: StreamFeed>: Sendable {
    private struct State {
        var feeds: [Int: Feed] = [:]
        var nextToken = 0
    }

    private let state = Mutex(State())

    deinit { for feed in all { feed.signal.finish() } }

    /// The feeds of the sequences that somebody takes in.
    var all: [Feed] { state.withLock { Array($0.feeds.values) } }

    /// How many there are.
    var count: Int { state.withLock(\.feeds.count) }

    /// Adds what feeds a sequence.
    func add(_ feed: Feed) {
        let token = state.withLock { state in
            defer { state.nextToken += 1 }
            state.feeds[state.nextToken] = feed
            return state.nextToken
        }
        feed.signal.onTermination = { [weak self] _ in
            self?.state.withLockReleasingResult { $0.feeds.removeValue(forKey: token) }
        }
    }
}
