import ExampleSupport
import PlacesKit
import WebSupport

/// A map with pins, each with an album of photos that were taken around it.
final class VirtualTouristSystem: PhotoSystem {
    static let name = "virtual-tourist"
    static let title = "Virtual Tourist"

    let library: PlacesLibrary
    private var loading: [ObjectID: Task<Void, Never>] = [:]
    private weak var pins: ListFeed<Pin>?
    private var albums: [ObjectID: () -> ListFeed<Photo>?] = [:]

    init(_ library: PlacesLibrary) { self.library = library }

    func pane(at path: [String]) throws -> Pane? {
        switch Steps(path) {
        case .none:
            Pane(
                kind: .map, title: "Pins", isSearchable: true,
                scopes: [Tab(title: "Map", path: address([]))], region: try library.mapRegion())
        case .element("pins", let number):
            object(Pin.self, number).map {
                Pane(
                    kind: .grid, title: $0.name, hasPictures: true,
                    commands: [
                        .init(action: "collection", title: "New collection"),
                        .init(
                            action: "remove", title: "Delete pin",
                            question: "Delete the pin with its album? You can undo it."),
                    ])
            }
        case .element("photos", let number): object(Photo.self, number).map(photoPane)
        default: nil
        }
    }

    func feed(_ name: String, at path: [String], searching text: String) throws -> (any Feed)? {
        switch Steps(path) {
        case .none:
            let list = try library.pins()
            try list.search(text)
            let feed = ListFeed(name, list) { [unowned self] pin, row in
                var shown = WebRow(id: "\(pin.objectID)", title: row.title)
                shown.subtitle = row.subtitle
                shown.path = address(["pins", "\(pin.objectID.number)"])
                shown.isDeletable = row.canBeDeleted
                // What somebody else has written into the document may be no point of the map.
                if pin.coordinate.isValid {
                    (shown.latitude, shown.longitude) = (pin.latitude, pin.longitude)
                }
                return shown
            }
            if text.isEmpty { pins = feed }
            return feed
        case .element("pins", let number):
            return try object(Pin.self, number).map { pin in
                let feed = photoFeed(
                    name, try library.album(of: pin), at: path, searching: text)
                albums[pin.objectID] = { [weak feed] in feed }
                return feed
            }
        case .element("photos", let number):
            return try object(Photo.self, number).map { try photoFeed(name, ofPhoto: $0) }
        default: return nil
        }
    }

    func load(_ path: [String], for feed: any Feed) {
        // One that is complete needs nothing, and says nothing of it to who comes back.
        guard case .element("pins", let number) = Steps(path),
            object(Pin.self, number)?.albumState != .ready
        else { return }
        loadAlbum(ofPin: number)
    }

    private func loadAlbum(ofPin number: String) {
        guard let pin = object(Pin.self, number) else { return }
        load(pin) { [library] in try await library.loadAlbum(of: pin) }
    }

    private func load(_ pin: Pin, _ body: @escaping @MainActor () async throws -> Void) {
        let identifier = pin.objectID
        guard loading[identifier] == nil, !library.isLoadingAlbum(of: pin) else { return }
        albums[identifier]?()?.tell(FeedStatus("Loading the album…", isBusy: true))
        // The row of a pin says how many pictures are here, which it reads of its photos.
        let album = try? library.album(of: pin)
        album?.onChange = { [weak self] _ in
            MainActor.assumeIsolated { self?.pins?.tell(pin) }
        }
        loading[identifier] = Task {
            var status = FeedStatus()
            do {
                try await body()
                if !pin.isDeleted, pin.albumState != .ready { status.text = pin.subtitle }
            } catch {
                status = FeedStatus(Failure.message(of: error), isFailure: true)
            }
            album?.onChange = nil
            pins?.tell(pin)
            albums[identifier]?()?.tell(status)
            loading[identifier] = nil
        }
    }

    func perform(_ action: Action, at path: [String], on desk: PlacesLibrary) async throws
        -> [String]?
    {
        switch (action.action, Steps(path)) {
        case ("drop", .none):
            let point = try point(of: action)
            let pin = try desk.dropPin(at: point, named: action.name ?? "")
            loadAlbum(ofPin: "\(pin.objectID.number)")
            return ["pins", "\(pin.objectID.number)"]
        case ("move", .none):
            let point = try point(of: action)
            let pin = try object(Pin.self, of: action, in: desk)
            try desk.move(pin, to: point)
            loadAlbum(ofPin: "\(pin.objectID.number)")
        case ("region", .none):
            guard let region = action.region else { throw action.lacks("a region") }
            if !library.isReadOnly { try library.setMapRegion(region) }
        case ("delete", .none):
            try desk.delete(try object(Pin.self, of: action, in: desk))
        case ("remove", .element("pins", let number)):
            try desk.delete(try pin(number, of: action, in: desk))
            return []
        case ("collection", .element("pins", let number)):
            let pin = try pin(number, of: action, in: library)
            load(pin) { [library] in try await library.newCollection(of: pin) }
        case ("delete", .element("pins", let number)):
            let pin = try pin(number, of: action, in: desk)
            let photo = try object(Photo.self, of: action, in: desk)
            try desk.remove(photo, from: pin)
        default: try await performWithPhoto(action, at: path, on: desk)
        }
        return nil
    }

    private func point(of action: Action) throws -> Coordinate {
        guard let point = action.coordinate else {
            throw action.lacks("a latitude and a longitude")
        }
        return point
    }

    private func pin(
        _ number: String, of action: Action, in view: PlacesLibrary
    ) throws -> Pin {
        guard let pin = object(Pin.self, number, in: view) else { throw action.gone }
        return pin
    }
}
