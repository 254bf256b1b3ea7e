/// The feeds that browsers follow, made when the first one asks for them.
///
/// Those that nobody follows any more are kept for a while, for who comes back and for the next page that shows
/// them; so many at most, the latest.
@MainActor
package final class FeedCatalogue {
    /// How many feeds that nobody follows are kept.
    private static let idleLimit = 32

    private var feeds: [String: any Feed] = [:]
    /// The feeds that nobody follows, from the one that was left first.
    private var idle: [String] = []

    /// Makes an empty catalogue.
    package init() {}

    /// The feed of a name, if it is here.
    package func feed(_ name: String) -> (any Feed)? { feeds[name] }

    /// Keeps a feed that a browser is about to follow.
    package func add(_ feed: any Feed) { feeds[feed.name] = feed }

    /// Notes that a browser has left a feed; one that is not here is somebody else's.
    package func left(_ feed: any Feed) {
        guard !feed.isFollowed, feeds[feed.name] === feed else { return }
        idle.removeAll { $0 == feed.name }
        idle.append(feed.name)
        while idle.count > Self.idleLimit {
            let name = idle.removeFirst()
            if feeds[name]?.isFollowed == false { feeds[name] = nil }
        }
    }
}
