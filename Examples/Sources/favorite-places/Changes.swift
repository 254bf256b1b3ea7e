import ArgumentParser
import ExampleSupport
import Foundation
import PlacesKit

struct View: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Views a photo of a place of the source: both are kept, and it is recent.")

    @Argument(help: "The place's number in the list of browse, or the beginning of its name.")
    var place: String
    @Argument(help: "The photo's number in the list of the place's photos, or its title.")
    var photo: String
    @Flag(help: "Make it a favorite too.") var favorite = false
    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: FavoritePlaces.name) { library in
            let photo = try await library.viewVisibly(photo, of: place)
            if favorite { try await library.setFavoriteVisibly(true, for: photo) }
            await PhotoScreen.show(photo, in: library)
        }
    }
}

/// The photo that a command is about.
struct PhotoArgument: ParsableArguments {
    @Argument(help: "The photo's identifier, its number in photos --viewed, or its title.")
    var photo: String

    @MainActor
    func find(in library: PlacesLibrary) throws -> Photo {
        try library.photo(photo, among: .viewed)
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
            let photo = try argument.find(in: library)
            try await library.setFavoriteVisibly(true, for: photo)
        }
    }
}

struct Unfavorite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Makes a photo no favorite: it stays, the file of its picture goes.")

    @Argument(help: "The favorite's identifier, its number in photos, or its title.")
    var photo: String
    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: FavoritePlaces.name) { library in
            let photo = try library.photo(photo, among: .favorites)
            try await library.setFavoriteVisibly(false, for: photo)
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
            let photo = try argument.find(in: library)
            try library.removeFromRecents(photo)
            Terminal.tell("\(photo.title) is forgotten as viewed.")
        }
    }
}

struct Picture: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes the picture of a photo into a file.")

    @OptionGroup var argument: PhotoArgument
    @Option(help: "The file; - for standard output.") var output: String
    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: FavoritePlaces.name, to: .show) { library in
            let photo = try argument.find(in: library)
            let picture = try await Spinner.run("Loading \(photo.title)") {
                try await library.picture(of: photo)
            }
            try PhotoScreen.write(picture, to: output)
        }
    }
}

@MainActor extension PlacesLibrary {
    /// The photo of an identifier, or what a list of photos has by a number or a title.
    func photo(_ text: String, among scope: PlaceScope) throws -> Photo {
        if let found = try context.find(Photo.self, \.uniqueID, text) { return found }
        return try Choosing.element(
            text, of: try photos(scope).objects, called: "photo", name: \.title)
    }

    func setFavoriteVisibly(_ isFavorite: Bool, for photo: Photo) async throws {
        try await Spinner.run(
            isFavorite ? "Keeping \(photo.title)" : "Removing the picture of \(photo.title)"
        ) {
            try await setFavorite(isFavorite, for: photo)
        }
        Terminal.tell("\(photo.title) is \(isFavorite ? "a" : "no") favorite.")
    }
}
