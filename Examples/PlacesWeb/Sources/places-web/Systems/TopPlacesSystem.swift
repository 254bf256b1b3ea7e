import PlacesKit
import WebSupport

/// Where people take photos right now: places by country, their photos, and what was viewed last.
final class TopPlacesSystem: PhotoSystem {
    static let name = "top-places"
    static let title = "Top Places"

    let library: PlacesLibrary
    private let loading = Loading()

    init(_ library: PlacesLibrary) { self.library = library }

    private var scopes: [Tab] {
        [
            Tab(title: "Places", path: address([])),
            Tab(title: "Viewed last", path: address(["viewed"])),
        ]
    }

    func pane(at path: [String]) throws -> Pane? {
        switch Steps(path) {
        case .none:
            Pane(
                kind: .list, title: "Top places", isSearchable: true,
                commands: [.init(action: "reload", title: "Load again")], scopes: scopes)
        case .named("viewed"):
            Pane(
                kind: .list, title: "Viewed last", hasPictures: true, hasStars: true, scopes: scopes
            )
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
        case .none: return placeFeed(name, try library.topPlaces(), at: path, searching: text)
        case .named("viewed"):
            return photoFeed(name, try library.history(), at: path, searching: text)
        case .element("places", let number):
            return try object(Place.self, number).map {
                photoFeed(name, try library.photos(of: $0), at: path, searching: text)
            }
        case .element("photos", let number):
            return try object(Photo.self, number).map { try photoFeed(name, ofPhoto: $0) }
        default: return nil
        }
    }

    func load(_ path: [String], for feed: any Feed) {
        switch Steps(path) {
        case .none:
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
