import ArgumentParser
import ExampleSupport
import PlacesKit

struct Album: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Lists the photos of a pin's album.")

    @OptionGroup var argument: PinArgument
    @OptionGroup var search: PhotoSearch
    @OptionGroup var listing: ListingOptions
    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: VirtualTourist.name, to: .show) { library in
            let pin = try argument.find(in: library)
            let album = try library.album(of: pin)
            try await library.show(
                album, titled: pin.name, search: search.text, listing, as: { PhotoOutput($0) })
        }
    }
}

struct NewCollection: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Replaces a pin's album by another page of photos.")

    @OptionGroup var argument: PinArgument
    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: VirtualTourist.name) { library in
            let pin = try argument.find(in: library)
            try await library.loadVisibly(pin, anew: true)
            try pin.checkAlbum()
        }
    }
}

struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Deletes one photo of a pin's album.")

    @OptionGroup var argument: PinArgument
    @Argument(help: "The photo's number in the album, or the beginning of its title.")
    var photo: String
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: VirtualTourist.name) { library in
            let pin = try argument.find(in: library)
            let album = try library.album(of: pin)
            let photo = try Choosing.element(
                photo, of: album.objects, called: "photo", name: \.title)
            let title = photo.title
            try await confirmation.check("Delete “\(title)” from the album of \(pin.name)?")
            try library.remove(photo, from: pin)
            Terminal.tell("Deleted \(title) from the album of \(pin.name).")
        }
    }
}

struct Resume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Goes on with all downloads that were cut short.")

    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: VirtualTourist.name) { library in
            try await library.resumeVisibly()
            let pins = try library.pins()
            await show(library.rows(of: pins), empty: pins.message ?? "", isMapped: true)
            for pin in pins.objects { try pin.checkAlbum() }
        }
    }
}

struct Picture: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Writes a picture of a pin's album into a file.")

    @OptionGroup var argument: PinArgument
    @Argument(help: "The photo's number in the album, or the beginning of its title.")
    var photo: String
    @Option(help: "The file; - for standard output.") var output: String
    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: VirtualTourist.name, to: .show) { library in
            let album = try library.album(of: try argument.find(in: library))
            let photo = try Choosing.element(
                photo, of: album.objects, called: "photo", name: \.title)
            try PhotoScreen.write(try await library.picture(of: photo), to: output)
        }
    }
}

@MainActor extension PlacesLibrary {
    /// Loads what is missing of all albums.
    func resumeVisibly() async throws {
        let failures = try await Spinner.run("Going on with the albums") {
            try await resumeAlbums()
        }
        for failure in failures.prefix(1) { Terminal.note(Failure.message(of: failure)) }
    }
}
