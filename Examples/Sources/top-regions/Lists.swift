import ArgumentParser
import ExampleSupport
import Foundation
import PlacesKit

struct Regions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists the 50 most popular regions.", aliases: ["list"])

    @Option(help: "Only regions whose name has this text.") var search = ""
    @OptionGroup var listing: ListingOptions
    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: TopRegions.name, to: .show) { library in
            let regions = try library.topRegions()
            try await library.show(
                regions, titled: "Top regions", search: search, listing, as: { RegionOutput($0) })
        }
    }
}

/// The region that a command is about.
struct RegionArgument: ParsableArguments {
    @Argument(help: "The region's number in the list, or the beginning of its name.")
    var region: String

    @MainActor
    func find(in library: PlacesLibrary) throws -> Region {
        if let found = try library.context.find(Region.self, \.name, region) { return found }
        return try Choosing.element(
            region, of: try library.topRegions().objects, called: "region", name: \.name)
    }
}

struct Photos: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Lists the photos of a region.")

    @OptionGroup var argument: RegionArgument
    @OptionGroup var search: PhotoSearch
    @OptionGroup var listing: ListingOptions
    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: TopRegions.name, to: .show) { library in
            let region = try argument.find(in: library)
            try await library.show(
                try library.photos(in: region), titled: region.name, search: search.text, listing,
                as: { PhotoOutput($0) })
        }
    }
}

struct Tags: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists the tags that most photos have, or the photos of a tag.")

    @Argument(help: "The tag's number in the list, or the beginning of its name.")
    var tag: String?
    @Option(help: "Only tags or photos that have this text.") var search = ""
    @OptionGroup var listing: ListingOptions
    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: TopRegions.name, to: .show) { library in
            let tags = try library.tags(by: .photoCount)
            guard let text = tag else {
                return try await library.show(
                    tags, titled: "Tags", search: search, listing, as: { TagOutput($0) })
            }
            let tag = try Choosing.element(text, of: tags.objects, called: "tag", name: \.title)
            try await library.show(
                try library.photos(tagged: tag), titled: tag.title, search: search, listing,
                as: { PhotoOutput($0) })
        }
    }
}

struct View: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Views a photo of a region: it comes first in the history.")

    @OptionGroup var argument: RegionArgument
    @Argument(help: "The photo's number in the list of the region's photos, or its title.")
    var photo: String
    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: TopRegions.name) { library in
            let photos = try library.photos(in: try argument.find(in: library)).objects
            try await library.viewVisibly(
                try Choosing.element(photo, of: photos, called: "photo", name: \.title))
        }
    }
}

@MainActor extension PlacesLibrary {
    /// Views a photo, and fetches its small picture unless that is kept.
    func viewVisibly(_ photo: Photo) async throws {
        try view(photo)
        await PhotoScreen.show(photo, in: self)
        let thumbnail = try await Spinner.run("Loading the small picture") {
            try await self.thumbnail(of: photo)
        }
        print("  Small picture: \(thumbnail.count) bytes")
    }
}

struct Thumbnail: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes the small picture of a photo into a file; it is fetched once only.")

    @Argument(help: "The photo's identifier.") var photo: String
    @Option(help: "The file; - for standard output.") var output: String
    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: TopRegions.name, to: .loadAndShow) { library in
            guard let photo = try library.context.find(Photo.self, \.uniqueID, photo) else {
                throw Problem("There is no photo “\(photo)”.")
            }
            let thumbnail = try await Spinner.run("Loading \(photo.title)") {
                try await library.thumbnail(of: photo)
            }
            try PhotoScreen.write(thumbnail, to: output)
        }
    }
}

struct Prune: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Deletes what was fetched long ago; favorites and recents stay.")

    @Option(help: "How many days ago.") var days = 7.0
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var options: LibraryOptions

    func validate() throws {
        guard (0...100_000).contains(days) else {
            throw ValidationError("--days must be between 0 and 100000.")
        }
    }

    private var words: String {
        days == days.rounded() ? Int(days).counted("day") : "\(days) days"
    }

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: TopRegions.name) { library in
            try await confirmation.check("Delete what was fetched more than \(words) ago?")
            let pruning = try await library.prune(olderThan: .seconds(days * 86_400))
            print(
                """
                Deleted \(pruning.photos.counted("photo")), \(pruning.places.counted("place")), \
                \(pruning.regions.counted("region")) and \
                \(pruning.photographers.counted("photographer")).
                """)
        }
    }
}
