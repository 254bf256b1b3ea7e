import ArgumentParser
import ExampleSupport
import PlacesKit

struct Overview: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows the pins; in a terminal, leads you through pins and albums.")

    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(
            of: VirtualTourist.name, to: Terminal.isInteractive ? .change : .show
        ) { library in
            guard Terminal.isInteractive else {
                let pins = try library.pins()
                return await show(
                    library.rows(of: pins), empty: pins.message ?? "", isMapped: true)
            }
            try await Journey(library: library).run()
        }
    }
}

/// Pins and albums; what is missing is loaded while the person looks around.
@MainActor
final class Journey {
    private let library: PlacesLibrary
    /// What goes on while lists are shown; what is missing at the end is loaded the next time.
    private var loading: [Task<Void, Never>] = []

    init(library: PlacesLibrary) { self.library = library }

    func run() async throws {
        loading.append(Task { [library] in _ = try? await library.resumeAlbums() })
        defer { for task in loading { task.cancel() } }
        try await Screen.run(
            "Pins", try library.pins(), in: library,
            commands: [("d", "drop a pin"), ("r", "look again")], isMapped: true,
            choose: { try await album(of: $0) },
            command: { key in
                guard key == "d" else { return }
                try await drop()
            })
    }

    private func drop() async throws {
        guard let point = try await askForPoint() else { return }
        let pin = try library.drop(at: point)
        // The album comes while the list is shown; what fails is loaded when the album is looked at.
        loading.append(Task { [library] in try? await library.loadAlbum(of: pin) })
    }

    private func askForPoint() async throws -> Point? {
        let text = await Terminal.ask("Where? LATITUDE,LONGITUDE or a place: ") ?? ""
        return text.isEmpty ? nil : try await Point(text, in: library)
    }

    private func album(of pin: Pin) async throws {
        if library.isLoadingAlbum(of: pin) {
            print("")
            Terminal.tell("\(pin.name): \(pin.subtitle)")
        } else {
            do {
                try await library.loadVisibly(pin)
            } catch let error as PhotoSourceError {
                // What was loaded before can be looked at all the same.
                print("")
                Terminal.tell(Failure.message(of: error))
            }
        }
        try await Screen.run(
            pin.name, try library.album(of: pin), in: library,
            commands: [("n", "new collection"), ("m", "move the pin"), ("x", "delete the pin")],
            choose: { try await photo($0, of: pin) },
            command: { key in
                switch key {
                case "n": try await library.loadVisibly(pin, anew: true)
                case "m":
                    guard let point = try await askForPoint() else { return }
                    try library.move(pin, to: point.coordinate, in: point.name)
                    try await library.loadVisibly(pin)
                default:
                    guard await Terminal.confirms(pin.deletionQuestion) else { return }
                    try library.delete(pin)
                    throw Back()
                }
            })
    }

    private func photo(_ photo: Photo, of pin: Pin) async throws {
        await PhotoScreen.show(photo, in: library)
        guard try await PhotoScreen.ask([("x", "delete from the album")]) == "x",
            await Terminal.confirms("Delete “\(photo.title)” from the album?")
        else { return }
        try library.remove(photo, from: pin)
    }
}
