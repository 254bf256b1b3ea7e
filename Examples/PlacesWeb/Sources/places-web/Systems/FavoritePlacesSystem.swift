import Foundation
import PlacesKit
import WebSupport

/// Favorites and what was viewed: places that have them, their photos, recents, and where to find more.
final class FavoritePlacesSystem: PhotoSystem {
    static let name = "favorite-places"
    static let title = "Favorites"

    let library: PlacesLibrary
    private let loading = Loading()
    /// The lists of recents that are shown, as long as they are.
    private var recents: [() -> ListFeed<Photo>?] = []
    private var days: Task<Void, any Error>?

    init(_ library: PlacesLibrary) { self.library = library }

    private var scopes: [Tab] {
        [
            Tab(title: "Only favorites", path: address([])),
            Tab(title: "All viewed", path: address(["viewed"])),
            Tab(title: "Recents", path: address(["recents"])),
            Tab(title: "Find more", path: address(["find"])),
        ]
    }

    func pane(at path: [String]) throws -> Pane? {
        switch Steps(path) {
        case .none:
            Pane(kind: .list, title: "Favorite places", isSearchable: true, scopes: scopes)
        case .named("viewed"):
            Pane(kind: .list, title: "Viewed places", isSearchable: true, scopes: scopes)
        case .named("recents"):
            Pane(
                kind: .list, title: "Recents", isSearchable: true, hasPictures: true,
                hasStars: true,
                scopes: scopes)
        case .named("find"):
            Pane(
                kind: .list, title: "Find more", isSearchable: true,
                commands: [.init(action: "reload", title: "Load again")], scopes: scopes)
        case .element("places", let number):
            object(Place.self, number).map {
                Pane(
                    kind: .grid, title: $0.title, isSearchable: true, hasPictures: true,
                    hasStars: true)
            }
        case .element("photos", let number): object(Photo.self, number).map(photoPane)
        default: nil
        }
    }

    func feed(_ name: String, at path: [String], searching text: String) throws -> (any Feed)? {
        switch Steps(path) {
        case .none:
            return placeFeed(name, try library.places(.favorites), at: path, searching: text)
        case .named("viewed"):
            return placeFeed(name, try library.places(.viewed), at: path, searching: text)
        case .named("find"):
            return placeFeed(name, try library.topPlaces(), at: path, searching: text)
        case .named("recents"):
            let feed = photoFeed(name, try library.recents(), at: path, searching: text)
            tellDays(feed)
            return feed
        case .element("places", let number):
            guard let place = object(Place.self, number) else { return nil }
            let list =
                switch path.first {
                case "find": try library.photos(of: place)
                case "viewed": try library.photos(.viewed, of: place)
                default: try library.photos(.favorites, of: place)
                }
            return photoFeed(name, list, at: path, searching: text)
        case .element("photos", let number):
            return try object(Photo.self, number).map { try photoFeed(name, ofPhoto: $0) }
        default: return nil
        }
    }

    /// Tells the headers again at each midnight, when what was viewed today was viewed yesterday.
    private func tellDays(_ feed: ListFeed<Photo>) {
        recents.removeAll { $0() == nil }
        recents.append { [weak feed] in feed }
        guard days == nil else { return }
        let (now, clock, calendar) = (
            library.options.now, library.options.clock, library.options.calendar
        )
        // One for all lists: each search is a list of its own, and midnight may be far.
        days = Task { [weak self] in
            while true {
                let now = now()
                let midnight = calendar.dateInterval(of: .day, for: now)?.end
                let rest = midnight?.timeIntervalSince(now) ?? 86_400
                try await clock.sleep(for: .seconds(rest))
                guard let self else { return }
                for feed in recents { feed()?.tellSections() }
            }
        }
    }

    func load(_ path: [String], for feed: any Feed) {
        guard path.first == "find" else { return }
        switch Steps(path) {
        case .named:
            loading.once("places", telling: feed) { [library] in
                try await library.loadTopPlaces()
            }
        case .element("places", let number):
            guard let place = object(Place.self, number) else { return }
            loading.once(number, telling: feed) { [library] in
                try await library.loadPhotos(of: place)
            }
        default: break
        }
    }

    func perform(_ action: Action, at path: [String], on desk: PlacesLibrary) async throws
        -> [String]?
    {
        if action.action == "reload" {
            loading.forget("places")
        } else {
            try await performWithPhoto(action, at: path, on: desk)
        }
        return nil
    }
}
