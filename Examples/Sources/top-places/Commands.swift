import ArgumentParser
import ExampleSupport
import PlacesKit

struct Places: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Loads and lists the top places, by country.")

    @Option(help: "Only places whose name has this text.") var search = ""
    @Flag(help: "Write JSON.") var json = false
    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: TopPlaces.name, to: .loadAndShow) { library in
            let places = try library.topPlaces()
            if !library.showsKept(places) { try await library.loadTopPlacesVisibly() }
            try show(
                places, search: search, json: json,
                as: { PlaceOutput($0) }, row: { Row($0) })
        }
    }
}

struct Photos: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Loads and lists the newest photos of a place.")

    @Argument(help: "The place's number in the list, or the beginning of its name.")
    var place: String
    @Option(help: "How many photos to load.") var limit = 50
    @Option(help: "Only photos whose title or description has this text.") var search = ""
    @Flag(help: "Write JSON.") var json = false
    @OptionGroup var options: LibraryOptions

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit must be at least 1.") }
    }

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: TopPlaces.name, to: .loadAndShow) { library in
            let place = try await library.topPlace(place)
            let photos = try library.photos(of: place, limit: limit)
            if !library.showsKept(photos) {
                try await library.loadPhotosVisibly(of: place, limit: limit)
            }
            try show(
                photos, search: search, json: json,
                as: { PhotoOutput($0) }, row: { Row($0) })
        }
    }
}

struct View: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Views a photo of a place: it comes first in the history.")

    @Argument(help: "The place's number in the list, or the beginning of its name.")
    var place: String
    @Argument(help: "The photo's number in the list of the place's photos, or its title.")
    var photo: String
    @Option(help: "How many photos the list has.") var limit = 50
    @OptionGroup var options: LibraryOptions

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit must be at least 1.") }
    }

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: TopPlaces.name) { library in
            let place = try await library.topPlace(place)
            try await library.loadPhotosVisibly(of: place, limit: limit)
            let chosen = try Choosing.element(
                photo, of: try library.photos(of: place, limit: limit).objects, called: "photo",
                name: \.title)
            try library.view(chosen)
            PhotoScreen.show(chosen)
        }
    }
}

struct History: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists the 20 photos viewed last.")

    @Option(help: "Only photos whose title or description has this text.") var search = ""
    @Flag(help: "Write JSON.") var json = false
    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: TopPlaces.name, to: .show) { library in
            let history = try library.history()
            try show(
                history, search: search, json: json, empty: "Nothing was viewed yet.",
                as: { PhotoOutput($0) }, row: { Row($0) })
        }
    }
}

@MainActor extension PlacesLibrary {
    /// Whether a list is shown as it was loaded before, because another process changes the library.
    func showsKept<Object>(_ list: FetchedResultsController<Object>) -> Bool {
        guard isReadOnly, !list.objects.isEmpty else { return false }
        Terminal.note(
            "Another process is changing the document, so this is what was loaded before.")
        return true
    }

    func loadTopPlacesVisibly() async throws {
        try await Spinner.run("Loading places from \(source.name)") { try await loadTopPlaces() }
    }

    @discardableResult
    func loadPhotosVisibly(of place: Place, limit: Int = 50) async throws -> [Photo] {
        try await Spinner.run("Loading photos of \(place.title)") {
            try await loadPhotos(of: place, limit: limit)
        }
    }

    /// The top place that a person means; the places are loaded if there are none.
    func topPlace(_ text: String) async throws -> Place {
        let places = try topPlaces()
        if places.objects.isEmpty { try await loadTopPlacesVisibly() }
        return try Choosing.element(text, of: places.objects, called: "place", name: \.name)
    }
}
