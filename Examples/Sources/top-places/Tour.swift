import ArgumentParser
import ExampleSupport
import Foundation
import PlacesKit

struct Tour: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows places, photos and the history; in a terminal, as you like.",
        discussion: """
            The photo that is shown counts as viewed, piped or not, and so does each that you open in \
            a terminal: they come first in the history.
            """)

    @Option(help: "The place whose photos to show, or the beginning of its name.")
    var place: String?
    @Option(help: "How many photos of the place to load.") var photos = 50
    @Option(help: "The number of the photo to view; without it, the first not viewed yet.")
    var view: Int?
    @OptionGroup var options: LibraryOptions

    func validate() throws {
        guard photos > 0 else { throw ValidationError("--photos must be at least 1.") }
        guard view ?? 1 > 0 else { throw ValidationError("--view must be at least 1.") }
    }

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: TopPlaces.name) { library in
            if Terminal.isInteractive, place == nil, view == nil {
                try await GuidedTour(library: library, photoLimit: photos).run()
            } else {
                try await show(library)
            }
        }
    }

    @MainActor
    private func show(_ library: PlacesLibrary) async throws {
        try await library.loadTopPlacesVisibly()
        let places = try library.topPlaces()
        print("Top places from \(library.source.name)\n")
        await ExampleSupport.show(library.rows(of: places))
        if let chosen = try choose(from: places) {
            let loaded = try await library.loadPhotosVisibly(of: chosen, limit: photos)
            print("")
            Terminal.tell("Photos of \(chosen.name)")
            print("")
            await ExampleSupport.show(loaded.map { Row($0, in: library) })
            try view(loaded, in: library)
        }
        print("\nViewed, most recent first\n")
        for photo in try library.history().objects {
            let place = photo.takenAt.map { ", \($0.title)" } ?? ""
            let date = photo.lastViewed?.localText ?? ""
            Terminal.tell("  \(date)  \(photo.title)\(place)")
        }
        print("\nKept in \(library.document.url.path(percentEncoded: false))")
    }

    @MainActor
    private func choose(from places: ListController<Place>) throws -> Place? {
        guard let place else { return places.objects.first }
        return try Choosing.element(place, of: places.objects, called: "place", name: \.name)
    }

    @MainActor
    private func view(_ photos: [Photo], in library: PlacesLibrary) throws {
        if let view {
            guard view <= photos.count else {
                throw Problem(
                    "There is no photo \(view): the place has \(photos.count) here.")
            }
            try library.view(photos[view - 1])
        } else if let photo = photos.first(where: { $0.lastViewed == nil }) ?? photos.first {
            try library.view(photo)
        }
    }
}

/// The lists, one leading to the next.
@MainActor
struct GuidedTour {
    let library: PlacesLibrary
    /// How many photos of a place are loaded.
    let photoLimit: Int

    func run() async throws {
        let places = try library.topPlaces()
        if places.objects.isEmpty { try await library.loadTopPlacesVisibly() }
        try await Screen.run(
            "Top places from \(library.source.name)", places, in: library,
            commands: [("a", "all by name"), ("h", "viewed last"), ("r", "load again")],
            choose: { try await photos(of: $0) },
            command: { key in
                switch key {
                case "a": try await placesByName()
                case "h": try await history()
                default: try await library.loadTopPlacesVisibly()
                }
            })
    }

    private func placesByName() async throws {
        let places = FetchRequest<Place>(
            predicate: #Predicate { $0.rank != nil },
            sortBy: [SortDescriptor(\.name, comparator: .localizedStandard)])
        try await Screen.run(
            "Top places by name",
            try ListController(places, title: \.name, searching: [\.name], in: library.context),
            in: library,
            choose: { try await photos(of: $0) })
    }

    private func photos(of place: Place) async throws {
        let photos = try library.photos(of: place, limit: photoLimit)
        do {
            try await library.loadPhotosVisibly(of: place, limit: photoLimit)
        } catch let error as PhotoSourceError where !photos.objects.isEmpty {
            // What was loaded before can be looked at all the same.
            print("")
            Terminal.tell(Failure.message(of: error))
        }
        try await Screen.run(
            place.name, photos, in: library, choose: { try await view($0) })
    }

    private func history() async throws {
        try await Screen.run(
            "Viewed last", try library.history(), in: library, choose: { try await view($0) })
    }

    private func view(_ photo: Photo) async throws {
        try library.view(photo)
        await PhotoScreen.show(photo, in: library)
        _ = try await PhotoScreen.ask()
    }
}

@MainActor extension PlacesLibrary {
    func loadTopPlacesVisibly() async throws {
        try await Spinner.run("Loading places from \(source.name)") { try await loadTopPlaces() }
    }

    @discardableResult
    func loadPhotosVisibly(of place: Place, limit: Int) async throws -> [Photo] {
        try await Spinner.run("Loading photos of \(place.title)") {
            try await loadPhotos(of: place, limit: limit)
        }
    }
}
