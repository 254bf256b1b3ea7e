import PlacesKit
import Testing

@testable import PlacesGraph

/// Sequences that are handed out and dropped.
@Suite struct StreamFeedsTests {
    @Test func `what fed a sequence goes with it, also where there is nothing to feed it with`()
        async
    {
        var feeds: StreamFeeds? = StreamFeeds<AsyncStream<Void>.Continuation>()
        let (kept, signal) = AsyncStream<Void>.makeStream()
        feeds?.add(signal)
        for _ in 0..<10 {
            let (dropped, signal) = AsyncStream<Void>.makeStream()
            withExtendedLifetime(dropped) { feeds?.add(signal) }
        }
        #expect(feeds?.count == 1)
        feeds = nil
        for await _ in kept { Issue.record("there was nothing to tell") }
    }
}
