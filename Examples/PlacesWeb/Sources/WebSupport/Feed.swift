/// Something that browsers are kept current about.
@MainActor
package protocol Feed: AnyObject {
    /// What the feed is called in events.
    var name: String { get }
    /// Whether any browser follows it.
    var isFollowed: Bool { get }
    /// Sends a browser what it does not know yet since the last event of the feed that it saw, and from now on
    /// what happens.
    func join(_ stream: EventStream, since position: String?)
    /// Sends a browser nothing more.
    func leave(_ stream: EventStream)
    /// Tells what goes on behind what the feed shows.
    func tell(_ status: FeedStatus)
}
