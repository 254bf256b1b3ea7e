import ArgumentParser
import ExampleSupport
import PlacesKit

struct Pins: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists the pins.", aliases: ["list"])

    @Option(help: "Only pins whose name has this text.") var search = ""
    @OptionGroup var listing: ListingOptions
    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: VirtualTourist.name, to: .show) { library in
            let pins = try library.pins()
            try await library.show(
                pins, titled: "Pins", search: search, listing, isMapped: true,
                as: { PinOutput($0) })
        }
    }
}

struct Drop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Drops a pin and loads its album.")

    @Option(
        parsing: .unconditional,
        help: "Where: LATITUDE,LONGITUDE, or a place of the source by its name.")
    var at: String
    @Option(help: "What to call it.") var name = ""
    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: VirtualTourist.name) { library in
            let point = try await Point(at, in: library)
            let pin = try library.drop(at: point, named: name)
            try await library.loadVisibly(pin)
            try pin.checkAlbum()
        }
    }
}

struct Move: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Moves a pin and loads the album of its new place.")

    @OptionGroup var argument: PinArgument
    @Option(
        parsing: .unconditional,
        help: "Where: LATITUDE,LONGITUDE, or a place of the source by its name.")
    var to: String
    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: VirtualTourist.name) { library in
            let pin = try argument.find(in: library)
            let point = try await Point(to, in: library)
            try library.move(pin, to: point.coordinate, in: point.name)
            try await library.loadVisibly(pin)
            try pin.checkAlbum()
        }
    }
}

struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Deletes a pin with its album.")

    @OptionGroup var argument: PinArgument
    @OptionGroup var confirmation: Confirmation
    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: VirtualTourist.name) { library in
            let pin = try argument.find(in: library)
            let name = pin.name
            try await confirmation.check(pin.deletionQuestion)
            try library.delete(pin)
            Terminal.tell("Deleted \(name).")
        }
    }
}

struct Map: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows the part of the map that was shown last, or sets it.")

    @Option(parsing: .unconditional, help: "The middle: LATITUDE,LONGITUDE, or a place.")
    var center: String?
    @Option(help: "How many degrees of latitude are shown; 10 at first.") var height: Double?
    @Option(help: "How many degrees of longitude are shown; 10 at first.") var width: Double?
    @OptionGroup var options: LibraryOptions

    func validate() throws {
        guard (0.000_001...180).contains(height ?? 1), (0.000_001...360).contains(width ?? 1) else {
            throw ValidationError(
                "--height must be more than 0 and at most 180 degrees, --width at most 360.")
        }
    }

    @MainActor
    func run() async throws {
        let isSet = center != nil || height != nil || width != nil
        try await options.withLibrary(of: VirtualTourist.name, to: isSet ? .change : .show) {
            library in
            let known = try library.mapRegion()
            if isSet {
                var point = known?.center
                if let center { point = try await Point(center, in: library).coordinate }
                guard let point else { throw Problem("No map was shown yet. Give a --center.") }
                try library.setMapRegion(
                    MapRegion(
                        center: point, latitudeDelta: height ?? known?.latitudeDelta ?? 10,
                        longitudeDelta: width ?? known?.longitudeDelta ?? 10))
            }
            guard let region = try library.mapRegion() else {
                return print("No map was shown yet.")
            }
            let (point, up, across) = (region.center, region.latitudeDelta, region.longitudeDelta)
            print("\(point.latitude), \(point.longitude); \(up)° high, \(across)° wide")
            let pins = try library.pins(in: region.area)
            Terminal.tell(
                pins.message ?? "In view: " + pins.objects.map(\.name).joined(separator: ", "))
        }
    }
}

extension Pin {
    /// What a person is asked before it is deleted.
    var deletionQuestion: String { "Delete \(name) with its \(photos.count.counted("photo"))?" }

    /// Tells a program's caller that pictures are missing.
    func checkAlbum() throws {
        guard case .incomplete(let count) = albumState else { return }
        throw Problem(
            "\(count.counted("picture")) could not be loaded. Try again with resume.")
    }
}

@MainActor extension PlacesLibrary {
    /// Drops a pin, and shows the map around it.
    func drop(at point: Point, named name: String = "") throws -> Pin {
        let pin = try dropPin(at: point.coordinate, named: name, in: point.name)
        try setMapRegion(
            MapRegion(center: point.coordinate, latitudeDelta: 10, longitudeDelta: 10))
        return pin
    }

    /// Loads what is missing of an album, and tells how it went.
    func loadVisibly(_ pin: Pin, anew: Bool = false) async throws {
        try await Spinner.run("Looking for photos around \(pin.name)") { spinner in
            let pictures = try album(of: pin)
            pictures.onChange = { _ in
                if !pin.isDeleted { spinner.message = "\(pin.name): \(pin.subtitle)" }
            }
            if anew {
                try await newCollection(of: pin)
            } else {
                try await loadAlbum(of: pin)
            }
        }
        Terminal.tell("\(pin.name): \(pin.subtitle)")
    }
}
