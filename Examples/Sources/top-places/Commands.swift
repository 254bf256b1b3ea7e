import ArgumentParser
import ExampleSupport

struct Places: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists the top places as the source has them now; nothing is kept by that.",
        aliases: ["list"])

    @Option(help: "Only places whose name has this text.") var search = ""
    @Option(help: "In which order: by country, in sections, or all by name.")
    var by = PlaceOrder.country
    @OptionGroup var listing: ListingOptions
    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: TopPlaces.name, to: .show) { library in
            try await library.listPlaces(search: search, by: by, listing)
        }
    }
}

struct Photos: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists the newest photos of a place as the source has them now; nothing is kept.")

    @Argument(help: "The place's number in the list, or the beginning of its name.")
    var place: String
    @Option(help: "How many photos to load.") var limit = 50
    @OptionGroup var search: PhotoSearch
    @OptionGroup var listing: ListingOptions
    @OptionGroup var options: LibraryOptions

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit must be at least 1.") }
    }

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: TopPlaces.name, to: .show) { library in
            try await library.listPhotos(of: place, limit: limit, search: search.text, listing)
        }
    }
}

struct View: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Views a photo of a place: it is kept, and comes first in the history.")

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
            let photo = try await library.viewVisibly(photo, of: place, limit: limit)
            await PhotoScreen.show(photo, in: library)
        }
    }
}
