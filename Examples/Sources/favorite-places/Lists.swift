import ArgumentParser
import ExampleSupport
import Foundation
import PlacesKit

struct Places: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists the places of favorites, or all that were ever viewed.")

    @Flag(help: "All places ever viewed.") var viewed = false
    @Option(help: "Only places whose name has this text.") var search = ""
    @OptionGroup var listing: ListingOptions
    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: FavoritePlaces.name, to: .show) { library in
            let places = try library.places(viewed ? .viewed : .favorites)
            try await library.show(
                places, titled: viewed ? "Places ever viewed" : "Places of favorites",
                search: search, listing, as: { PlaceOutput($0) })
        }
    }
}

struct Photos: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists the favorites, or all photos ever viewed; of a place, or of all.",
        aliases: ["list"])

    @Argument(help: "The place's number in the list of places, or the beginning of its name.")
    var place: String?
    @Flag(help: "All photos ever viewed.") var viewed = false
    @OptionGroup var search: PhotoSearch
    @OptionGroup var listing: ListingOptions
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
            let title = viewed ? "Photos ever viewed" : "Favorites"
            try await library.show(
                photos, titled: chosen.map { "\(title) of \($0.name)" } ?? title,
                search: search.text, listing, as: { PhotoOutput($0) })
        }
    }
}

struct Recents: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists the photos viewed in the last 48 hours, by day.")

    @OptionGroup var search: PhotoSearch
    @OptionGroup var listing: ListingOptions
    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: FavoritePlaces.name, to: .show) { library in
            let recents = try library.recents()
            try await library.show(
                recents, titled: "Viewed in the last 48 hours", search: search.text, listing,
                as: { PhotoOutput($0) })
        }
    }
}

struct Browse: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists the places of the source, or the photos of one; nothing is kept by that.")

    @Argument(help: "The place's number in the list, or the beginning of its name.")
    var place: String?
    @Option(help: "Only places by their name, or photos by title, description and tags.")
    var search = ""
    @Option(help: "In which order places are: by country, in sections, or all by name.")
    var by = PlaceOrder.country
    @OptionGroup var listing: ListingOptions
    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: FavoritePlaces.name, to: .show) { library in
            guard let place else {
                return try await library.listPlaces(search: search, by: by, listing)
            }
            try await library.listPhotos(of: place, search: search, listing)
        }
    }
}
