import ExampleSupport
import Foundation
import PlacesKit
import WebSupport

/// The regions where most photographers are: they climb and fall while photos arrive.
final class TopRegionsSystem: PhotoSystem {
    static let name = "top-regions"
    static let title = "Top Regions"
    /// How long to wait between two fetches while photos arrive by themselves.
    private static let interval = Duration.seconds(1)
    /// How many more photos each of them asks for, and how many the last.
    private static let (step, most) = (25, 500)

    let library: PlacesLibrary
    private var arriving: Task<Void, Never>?
    private var limit = 0
    private weak var regions: (any Feed)?

    init(_ library: PlacesLibrary) { self.library = library }

    private var scopes: [Tab] {
        [
            Tab(title: "Regions", path: address([])),
            Tab(title: "Viewed last", path: address(["viewed"])),
        ]
    }

    func pane(at path: [String]) throws -> Pane? {
        switch Steps(path) {
        case .none:
            Pane(
                kind: .list, title: "Top regions", isSearchable: true,
                commands: [
                    .init(action: "fetch", title: "Fetch photos"),
                    .init(action: "arrive", title: "Let photos arrive"),
                    .init(action: "pause", title: "Pause"),
                ], scopes: scopes)
        case .named("viewed"):
            Pane(
                kind: .list, title: "Viewed last", hasPictures: true, hasStars: true, scopes: scopes
            )
        case .element("regions", let number):
            object(Region.self, number).map {
                Pane(
                    kind: .list, title: $0.name, isSearchable: true, hasPictures: true,
                    hasStars: true)
            }
        case .element("photos", let number): object(Photo.self, number).map(photoPane)
        default: nil
        }
    }

    func feed(_ name: String, at path: [String], searching text: String) throws -> (any Feed)? {
        switch Steps(path) {
        case .none:
            let list = try library.topRegions()
            try list.search(text)
            let feed = ListFeed(name, list) { [unowned self] region, row in
                var shown = WebRow(id: "\(region.objectID)", title: row.title)
                shown.subtitle = row.subtitle
                shown.path = address(["regions", "\(region.objectID.number)"])
                return shown
            }
            if text.isEmpty { regions = feed }
            return feed
        case .named("viewed"):
            return photoFeed(name, try library.history(), at: path, searching: text)
        case .element("regions", let number):
            return try object(Region.self, number).map {
                photoFeed(name, try library.photos(in: $0), at: path, searching: text)
            }
        case .element("photos", let number):
            return try object(Photo.self, number).map { try photoFeed(name, ofPhoto: $0) }
        default: return nil
        }
    }

    func load(_ path: [String], for feed: any Feed) {
        guard path.isEmpty, arriving == nil, (try? library.context.count(Region.self)) == 0 else {
            return
        }
        arrive()
    }

    func perform(_ action: Action, at path: [String], on desk: PlacesLibrary) async throws
        -> [String]?
    {
        switch action.action {
        case "fetch": try await fetch(250)
        case "arrive": arrive()
        case "pause": arriving?.cancel()
        default: try await performWithPhoto(action, at: path, on: desk)
        }
        return nil
    }

    /// Fetches ever more photos, a few at a time, until it is paused or there are many.
    private func arrive() {
        // Where they do already, whoever asks again has what they want.
        if let arriving, !arriving.isCancelled { return }
        if limit >= Self.most { limit = 0 }
        arriving = Task {
            while !Task.isCancelled, limit < Self.most {
                limit += Self.step
                // What goes wrong is told above the list; the next fetch may do better.
                try? await fetch(limit)
                try? await Task.sleep(for: Self.interval)
            }
            if Task.isCancelled {
                // Somebody may have let them arrive again meanwhile.
                guard arriving?.isCancelled == true else { return }
                regions?.tell(FeedStatus("Paused after the newest \(limit.counted("photo"))."))
            } else {
                arriving = nil
            }
        }
    }

    private func fetch(_ limit: Int) async throws {
        regions?.tell(FeedStatus("Fetching the newest \(limit.counted("photo"))…", isBusy: true))
        do {
            let fetch = try await library.fetchRecentPhotos(limit: limit)
            let words =
                "\(fetch.newPhotos.counted("new photo")), \(fetch.namedPlaces.counted("place")) named."
            regions?.tell(FeedStatus(words))
        } catch is CancellationError where Task.isCancelled {
            // Whoever paused it says so.
        } catch {
            regions?.tell(FeedStatus(Failure.message(of: error), isFailure: true))
            throw error
        }
    }
}
