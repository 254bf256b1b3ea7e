import ExampleSupport
import PlacesKit
import WebSupport

/// What is being loaded behind lists, each at most once at a time, and again only when a while has passed.
@MainActor
final class Loading {
    /// How long what was loaded is not loaded again when another page shows it.
    private static let pause = Duration.seconds(300)

    private var tasks: [String: Task<Void, Never>] = [:]
    private var loaded: [String: ContinuousClock.Instant] = [:]

    /// Loads something unless that was done lately, and tells of it above a list.
    func once(
        _ name: String, telling feed: any Feed, _ body: @escaping @MainActor () async throws -> Void
    ) {
        guard tasks[name] == nil, loaded[name].map({ $0.duration(to: .now) > Self.pause }) ?? true
        else { return }
        feed.tell(FeedStatus("Loading…", isBusy: true))
        tasks[name] = Task {
            do {
                try await body()
                loaded[name] = .now
                feed.tell(FeedStatus())
            } catch {
                feed.tell(FeedStatus(Failure.message(of: error), isFailure: true))
            }
            tasks[name] = nil
        }
    }

    /// Lets something be loaded again.
    func forget(_ name: String) { loaded[name] = nil }
}
