import ArgumentParser
import ExampleSupport
import Foundation
import PlacesKit

struct View: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Views a photo of a place of the source: it is kept, and its place with it.")

    @Argument(help: "The place's number in the list of browse, or the beginning of its name.")
    var place: String
    @Argument(help: "The photo's number in the list of the place's photos, or its title.")
    var photo: String
    @Flag(help: "Make it a favorite too.") var favorite = false
    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: FavoritePlaces.name) { library in
            let place = try Choosing.element(
                place, of: try await library.browsePlacesVisibly(), called: "place", name: \.name)
            let record = try Choosing.element(
                photo, of: try await library.browsePhotosVisibly(of: place), called: "photo",
                name: \.displayTitle)
            let photo = try library.view(record, in: place)
            if favorite { try await library.setFavoriteVisibly(true, for: photo) }
            PhotoScreen.show(photo)
        }
    }
}

/// The photo that a command is about.
struct PhotoArgument: ParsableArguments {
    @Argument(help: "The photo's identifier, its number among all ever viewed, or its title.")
    var photo: String

    @MainActor
    func find(in library: PlacesLibrary) throws -> Photo {
        if let found = try library.context.find(Photo.self, \.uniqueID, photo) { return found }
        return try Choosing.element(
            photo, of: try library.photos(.viewed).objects, called: "photo", name: \.title)
    }
}

struct Favorite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Makes a photo a favorite: its picture is kept as a file.")

    @OptionGroup var argument: PhotoArgument
    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: FavoritePlaces.name) { library in
            try await library.setFavoriteVisibly(true, for: try argument.find(in: library))
        }
    }
}

struct Unfavorite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Makes a photo no favorite: it stays, the file of its picture goes.")

    @OptionGroup var argument: PhotoArgument
    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: FavoritePlaces.name) { library in
            try await library.setFavoriteVisibly(false, for: try argument.find(in: library))
        }
    }
}

struct Forget: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Removes a photo from what was viewed; the photo stays.")

    @OptionGroup var argument: PhotoArgument
    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: FavoritePlaces.name) { library in
            try library.removeFromRecents(try argument.find(in: library))
        }
    }
}

struct Picture: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes the picture of a photo into a file.")

    @OptionGroup var argument: PhotoArgument
    @Option(help: "The file.") var output: String
    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: FavoritePlaces.name) { library in
            let photo = try argument.find(in: library)
            let picture = try await Spinner.run("Loading \(photo.title)") {
                try await library.picture(of: photo)
            }
            try PhotoScreen.write(picture, to: output)
        }
    }
}

@MainActor extension PlacesLibrary {
    func setFavoriteVisibly(_ isFavorite: Bool, for photo: Photo) async throws {
        try await Spinner.run(
            isFavorite ? "Keeping \(photo.title)" : "Removing the picture of \(photo.title)"
        ) {
            try await setFavorite(isFavorite, for: photo)
        }
    }
}
