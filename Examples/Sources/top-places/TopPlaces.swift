import ArgumentParser
import ExampleSupport
import Foundation
import PlacesKit

@main
struct TopPlaces: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "top-places",
        abstract: "Shows the top places by country, the photos of one, and what was viewed.",
        discussion: """
            Each run loads the places, shows the newest photos of one of them, views one, and \
            prints the history, which is kept in a document between runs.
            """)

    @OptionGroup(title: "Source") var source: SourceOptions
    @OptionGroup(title: "Document") var document: DocumentOption

    @Option(help: "The place whose photos to show, or the beginning of its name.")
    var place: String?

    @Option(help: "How many photos of the place to load.")
    var photos = 50

    @Option(help: "The number of the photo to view; without it, the first not viewed yet.")
    var view: Int?

    func validate() throws {
        guard photos > 0 else { throw ValidationError("--photos must be at least 1.") }
        guard view ?? 1 > 0 else { throw ValidationError("--view must be at least 1.") }
    }

    @MainActor
    func run() async throws {
        let photoSource = try source.makeSource()
        let url = try document.url(for: "top-places")
        let library = try await PlacesLibrary.open(at: url, source: photoSource)
        try await Spinner.run("Loading places from \(photoSource.name)") {
            try await library.loadTopPlaces()
        }
        let places = try library.topPlaces()
        show(places, from: photoSource.name)
        if let place = try choose(from: places) {
            let loaded = try await Spinner.run("Loading photos of \(place.title)") {
                try await library.loadPhotos(of: place, limit: photos)
            }
            show(loaded, of: place)
            try view(loaded, in: library)
        }
        try show(try library.history())
        try await library.close()
        print("\nKept in \(url.path(percentEncoded: false))")
    }

    // MARK: - Choosing

    private func choose(from places: FetchedResultsController<Place>) throws -> Place? {
        guard let place else { return places.objects.first }
        let found = places.objects.first {
            $0.title.lowercased().hasPrefix(place.lowercased())
        }
        guard let found else {
            throw ValidationError(
                "None of the \(places.objects.count) places begins with “\(place)”.")
        }
        return found
    }

    private func view(_ photos: [Photo], in library: PlacesLibrary) throws {
        if let view {
            guard view <= photos.count else {
                throw ValidationError(
                    "There is no photo \(view): the place has \(photos.count) here.")
            }
            try library.view(photos[view - 1])
        } else if let photo = photos.first(where: { $0.lastViewed == nil }) ?? photos.first {
            try library.view(photo)
        }
    }

    // MARK: - Printing

    private func show(_ places: FetchedResultsController<Place>, from source: String) {
        print("Top places from \(source)")
        let objects = places.objects
        for section in places.snapshot.sections {
            print("\n\(section.name)")
            for place in objects[section.range] {
                print("  \(place.title)\(place.subtitle.isEmpty ? "" : " — \(place.subtitle)")")
            }
        }
    }

    private func show(_ photos: [Photo], of place: Place) {
        print("\nPhotos of \(place.name)\n")
        let width = String(photos.count).count
        for (index, photo) in photos.enumerated() {
            let number = String(index + 1)
            let padding = String(repeating: " ", count: width - number.count)
            let by = photo.takenBy.map { " — \($0.name)" } ?? ""
            print("  \(padding)\(number)  \(photo.title.inOneLine)\(by)")
        }
    }

    private func show(_ history: FetchedResultsController<Photo>) throws {
        print("\nViewed, most recent first\n")
        for photo in history.objects {
            let place = photo.takenAt.map { ", \($0.title)" } ?? ""
            let date = photo.lastViewed?.formatted(.iso8601) ?? ""
            print("  \(date)  \(photo.title.inOneLine)\(place)")
        }
    }
}

extension String {
    /// The text with its line breaks made spaces, for a row of a list.
    fileprivate var inOneLine: String {
        split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
