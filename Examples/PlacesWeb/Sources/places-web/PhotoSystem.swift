import ExampleSupport
import Foundation
import PlacesKit
import WebSupport

/// One of the four systems: panes at addresses, the lists in them, and what can be done there.
@MainActor
protocol PhotoSystem: AnyObject {
    /// The first part of its addresses, and the name of its document.
    static var name: String { get }
    /// What its tab is called.
    static var title: String { get }

    var library: PlacesLibrary { get }

    /// Opens the system on its library.
    init(_ library: PlacesLibrary)

    /// The pane at an address within the system, or `nil` where there is none.
    func pane(at path: [String]) throws -> Pane?
    /// The list of the pane at an address, with what is searched for.
    func feed(_ name: String, at path: [String], searching text: String) throws -> (any Feed)?
    /// Loads what the pane at an address shows, as far as it is missing.
    func load(_ path: [String], for feed: any Feed)
    /// Does what a page asks for, so that the browser can take it back in its own view of the library, its desk;
    /// returns where the page goes on, if elsewhere.
    func perform(
        _ action: Action, at path: [String], on desk: PlacesLibrary
    ) async throws -> [String]?
}

extension PhotoSystem {
    /// The address of something within the system.
    func address(_ parts: [String]) -> String {
        "/" + ([Self.name] + parts).map(\.escapedForAddress).joined(separator: "/")
    }

    /// The object that a part of an address names.
    func object<Object: ManagedObject>(
        _ type: Object.Type, _ number: String, in view: PlacesLibrary? = nil
    ) -> Object? {
        guard let id = ObjectID("\(type)/\(number)") else { return nil }
        return (view ?? library).context.object(with: id) as? Object
    }

    /// The object of the row that an action is about.
    ///
    /// - Throws: That it is gone.
    func object<Object: ManagedObject>(
        _ type: Object.Type, of action: Action, in view: PlacesLibrary
    ) throws -> Object {
        guard let row = action.row else { throw action.lacks("a row") }
        guard let object = ObjectID(row).flatMap(view.context.object) as? Object else {
            throw action.gone
        }
        return object
    }

    /// The address of a picture of a photo.
    ///
    /// Browsers keep pictures, and each document counts its photos from the same number on: another photo or document
    /// has another address.
    private func picture(_ size: String, of photo: Photo) -> String {
        let mark = "\(library.document.url.absoluteString) \(photo.uniqueID)".digest
        return "/pictures/\(Self.name)/\(photo.objectID.number)/\(size)?v=\(mark)"
    }

    /// A feed of places, each of which leads to its own pane behind the list's.
    func placeFeed(
        _ name: String, _ list: ListController<Place>, at path: [String], searching text: String
    ) -> any Feed {
        try? list.search(text)
        return ListFeed(name, list) { [unowned self] place, row in
            var shown = WebRow(id: "\(place.objectID)", title: row.title)
            shown.subtitle = row.subtitle
            shown.path = address(path + ["places", "\(place.objectID.number)"])
            return shown
        }
    }

    // MARK: - Photos

    /// A feed of photos, each of which leads to its own pane behind the list's.
    func photoFeed(
        _ name: String, _ list: ListController<Photo>, at path: [String],
        searching text: String = ""
    ) -> ListFeed<Photo> {
        // What cannot be searched is told in the list's message.
        try? list.search(text)
        return ListFeed(name, list) { [unowned self] photo, row in
            var shown = WebRow(id: "\(photo.objectID)", title: row.title)
            shown.subtitle = row.subtitle
            shown.path = address(path + ["photos", "\(photo.objectID.number)"])
            shown.picture = picture("small", of: photo)
            shown.isDeletable = row.canBeDeleted
            shown.isFavorite = photo.isFavorite
            shown.state = Self.state(of: photo)
            return shown
        }
    }

    private static func state(of photo: Photo) -> String? {
        switch photo.pictureState {
        case .unwanted: nil
        case .waiting: "waiting"
        case .loading, .retrying: "loading"
        case .failed: "failed"
        case .ready: "ready"
        }
    }

    /// The feed of one photo, by which its pane stays current.
    func photoFeed(_ name: String, ofPhoto photo: Photo) throws -> any Feed {
        let identifier = photo.uniqueID
        let list = try ListController<Photo>(
            FetchRequest(predicate: #Predicate { $0.uniqueID == identifier }), title: \.title,
            subtitle: \.takenBy?.name, in: library.context)
        list.emptyMessage = { "The photo is gone." }
        return photoFeed(name, list, at: [])
    }

    /// The pane of a photo.
    func photoPane(_ photo: Photo) -> Pane {
        var pane = Pane(kind: .photo, title: photo.title)
        pane.hasStars = true
        let size = photo.pixelWidth.flatMap { width in
            photo.pixelHeight.map { "\(width) × \($0) pixels" }
        }
        let lines: [(String, String?)] = [
            ("", photo.subtitle), ("Place", photo.takenAt?.name), ("Region", photo.region?.name),
            ("By", photo.creditLine), ("Tags", photo.tagNames.joined(separator: ", ")),
            ("Published", photo.dateUploaded?.formatted(date: .long, time: .shortened)),
            ("Size", size),
        ]
        pane.photo = PhotoFacts(
            picture: picture("large", of: photo), width: photo.pixelWidth,
            height: photo.pixelHeight,
            lines: lines.compactMap { label, text in
                text.flatMap { $0.isEmpty ? nil : [label, $0] }
            },
            page: photo.pageURL.flatMap {
                ["http", "https"].contains($0.scheme) ? $0.absoluteString : nil
            })
        return pane
    }

    /// Does what every system can do with the photo at an address, or with a row of a list.
    func performWithPhoto(
        _ action: Action, at path: [String], on desk: PlacesLibrary
    ) async throws {
        switch action.action {
        case "view":
            // To look at something is nothing to undo, and is not noted where another program is changing the document.
            let photo = try photo(of: action, at: path, in: library)
            if !library.isReadOnly { try library.view(photo) }
        case "favorite":
            let photo = try photo(of: action, at: path, in: desk)
            try await desk.setFavorite(action.isFavorite ?? !photo.isFavorite, for: photo)
        default: throw action.unknown
        }
    }

    /// The photo that an action is about: that of its row, or of the address.
    private func photo(
        of action: Action, at path: [String], in view: PlacesLibrary
    ) throws -> Photo {
        if action.row != nil { return try object(Photo.self, of: action, in: view) }
        guard case .element("photos", let number) = Steps(path) else {
            throw action.lacks("a row")
        }
        guard let photo = object(Photo.self, number, in: view) else { throw action.gone }
        return photo
    }
}

extension String {
    /// The text as one part of an address.
    var escapedForAddress: String {
        addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? ""
    }

    /// Unreserved characters (RFC 3986, 2.3).
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
