import ArgumentParser
import ExampleSupport
import PlacesKit

struct Overview: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows the pins; in a terminal, leads you through pins and albums.")

    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(of: VirtualTourist.name) { library in
            guard Terminal.isInteractive else {
                return show(
                    try library.pins().objects.map { Row($0) }, empty: "No pins yet; drop one.")
            }
            try await Journey(library: library).run()
        }
    }
}

/// Pins and albums; what is missing is loaded while the person looks around.
@MainActor
struct Journey {
    let library: PlacesLibrary

    func run() async throws {
        let resuming = Task { try await library.resumeAlbums() }
        defer { resuming.cancel() }
        try await Screen.run(
            "Pins", try library.pins(), row: { Row($0) }, empty: "No pins yet.",
            commands: [("d", "drop a pin"), ("r", "look again")],
            choose: { try await album(of: $0) },
            command: { key in
                guard key == "d" else { return }
                try await drop()
            })
    }

    private func drop() async throws {
        let text = await Terminal.ask("Where? LATITUDE,LONGITUDE or a place: ") ?? ""
        guard !text.isEmpty else { return }
        let point = try await Point(text, in: library)
        let pin = try library.dropPin(at: point.coordinate, named: point.name)
        try library.setMapRegion(
            MapRegion(center: point.coordinate, latitudeDelta: 10, longitudeDelta: 10))
        // The album comes while the list is shown; what fails is loaded when the album is looked at.
        Task { try? await library.loadAlbum(of: pin) }
    }

    private func album(of pin: Pin) async throws {
        if library.isLoadingAlbum(of: pin) {
            print("\n\(pin.name): \(Row(pin).detail)")
        } else {
            try await library.loadVisibly(pin)
        }
        try await Screen.run(
            pin.name, try library.album(of: pin), row: { Row(inAlbum: $0) },
            empty: Row(pin).detail,
            commands: [("n", "new collection"), ("m", "move the pin"), ("x", "delete the pin")],
            choose: { try await photo($0, of: pin) },
            command: { key in
                switch key {
                case "n": try await library.loadVisibly(pin, anew: true)
                case "m":
                    let text = await Terminal.ask("Where? LATITUDE,LONGITUDE or a place: ") ?? ""
                    guard !text.isEmpty else { return }
                    try library.move(pin, to: try await Point(text, in: library).coordinate)
                    try await library.loadVisibly(pin)
                default:
                    try library.delete(pin)
                    throw Back()
                }
            })
    }

    private func photo(_ photo: Photo, of pin: Pin) async throws {
        PhotoScreen.show(photo)
        let answer = await Guide.ask(
            photo.title, [], commands: [("x", "delete from the album")], canSearch: false,
            empty: Row(inAlbum: photo).detail)
        switch answer {
        case .command: try library.remove(photo, from: pin)
        case .quit: throw Quit()
        default: break
        }
    }
}
