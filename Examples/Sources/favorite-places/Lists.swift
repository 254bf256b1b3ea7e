import ArgumentParser
import ExampleSupport
import Foundation
import PlacesKit

struct Places: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists the places of favorites, or all that were ever viewed.")

    @Flag(help: "All places ever viewed.") var viewed = false
    @Option(help: "Only places whose name has this text.") var search = ""
    @Flag(help: "Write JSON.") var json = false
    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: FavoritePlaces.name, to: .show) { library in
            let places = try library.places(viewed ? .viewed : .favorites)
            try show(
                places, search: search, json: json, empty: "No places yet.",
                as: { PlaceOutput($0) }, row: { Row($0.name) })
        }
    }
}

struct Photos: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists the favorites, or all photos ever viewed; of a place, or of all.")

    @Argument(help: "The place's number in the list of places, or the beginning of its name.")
    var place: String?
    @Flag(help: "All photos ever viewed.") var viewed = false
    @Option(help: "Only photos whose title or description has this text.") var search = ""
    @Flag(help: "Write JSON.") var json = false
    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: FavoritePlaces.name, to: .show) { library in
            let scope: PlaceScope = viewed ? .viewed : .favorites
            let chosen = try place.map {
                try Choosing.element(
                    $0, of: try library.places(scope).objects, called: "place", name: \.name)
            }
            let photos = try library.photos(scope, of: chosen)
            try show(
                photos, search: search, json: json, empty: "No photos yet.",
                as: { PhotoOutput($0) }, row: { Row($0) })
        }
    }
}

struct Recents: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists the photos viewed in the last 48 hours, by day.")

    @Option(help: "Only photos whose title or description has this text.") var search = ""
    @Flag(help: "Write JSON.") var json = false
    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: FavoritePlaces.name, to: .show) { library in
            let recents = try library.recents()
            try show(
                recents, search: search, json: json, empty: "Nothing was viewed lately.",
                as: { PhotoOutput($0) }, row: { library.recentRow($0) })
        }
    }
}

struct Browse: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists the places of the source, or the photos of one; nothing is kept by that.")

    @Argument(help: "The place's number in the list, or the beginning of its name.")
    var place: String?
    @Option(help: "Only places or photos that have this text.") var search = ""
    @Flag(help: "Write JSON.") var json = false
    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: FavoritePlaces.name, to: .show) { library in
            let places = try await library.browsePlacesVisibly()
            guard let place else {
                return try show(
                    places.enumerated().filter { $0.element.name.has(search) }, search: search,
                    json: json, as: { PlaceOutput($0) }, row: { Row($0) })
            }
            let chosen = try Choosing.element(place, of: places, called: "place", name: \.name)
            let photos = try await library.browsePhotosVisibly(of: chosen)
            try show(
                photos.enumerated().filter { $0.element.displayTitle.has(search) },
                search: search, json: json, as: { PhotoOutput($0) }, row: { Row($0) })
        }
    }
}

extension String {
    /// Whether the text has another one in it; every text has the empty one.
    func has(_ text: String) -> Bool {
        text.isEmpty || localizedStandardContains(text)
    }
}

@MainActor extension PlacesLibrary {
    func browsePlacesVisibly() async throws -> [PlaceRecord] {
        try await Spinner.run("Loading places from \(source.name)") { try await browsePlaces() }
    }

    func browsePhotosVisibly(of place: PlaceRecord) async throws -> [PhotoRecord] {
        try await Spinner.run("Loading photos of \(place.title)") {
            try await browsePhotos(of: place)
        }
    }

    func recentRow(_ photo: Photo) -> Row {
        Row(photo, section: title(ofDay: photo.lastViewedSection))
    }
}
