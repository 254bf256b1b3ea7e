import ArgumentParser
import ExampleSupport
import PlacesKit

struct Overview: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows favorites and recents; in a terminal, leads you through everything.")

    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(
            of: FavoritePlaces.name, to: Terminal.isInteractive ? .change : .loadAndShow
        ) { library in
            guard !Terminal.isInteractive else {
                // It goes on while lists are shown; what is missing at the end comes the next time.
                let care = Task { _ = try? await library.restoreFavoriteImages() }
                defer { care.cancel() }
                return try await Lists(library: library).run()
            }
            print("Favorites\n")
            await show(
                try library.photos(.favorites).objects.map {
                    Row($0, section: $0.takenAt?.name ?? "", in: library)
                }, empty: "No favorites yet.")
            print("\nViewed in the last 48 hours\n")
            let recents = try library.recents()
            await show(library.rows(of: recents), empty: recents.message ?? "")
            // Without a network it may take long, so that the lists are written before.
            try Terminal.finishOutput()
            if !library.isReadOnly { try await lookAfterFavorites(of: library) }
        }
    }

    /// Does what a crash or a missing network left undone.
    @MainActor
    private func lookAfterFavorites(of library: PlacesLibrary) async throws {
        let report = try await Spinner.run("Looking after the pictures of favorites") {
            try await library.restoreFavoriteImages()
        }
        for failure in report.failures.sorted(by: { $0.key < $1.key }).prefix(1) {
            Terminal.note(Failure.message(of: failure.value))
        }
        if !report.gone.isEmpty {
            Terminal.note(
                "\(report.gone.count.counted("picture")) of favorites are gone from the source.")
        }
    }
}

/// The lists, one leading to the next.
@MainActor
struct Lists {
    let library: PlacesLibrary

    func run() async throws {
        while true {
            let answer = await Guide.ask(
                "Favorite places",
                [
                    Row("Browse", library.source.name), Row("Favorites", "by place"),
                    Row("All places ever viewed"), Row("Recents", "the last 48 hours"),
                ], canSearch: false)
            do {
                switch answer {
                case .row(0): try await browse()
                case .row(1): try await places(.favorites, "Favorites")
                case .row(2): try await places(.viewed, "All places ever viewed")
                case .row: try await recents()
                default: throw Quit()
                }
            } catch let quit as Quit {
                throw quit
            } catch {
                print("")
                Terminal.tell(Failure.message(of: error))
            }
        }
    }

    private func browse() async throws {
        let places = try await library.browsePlacesVisibly()
        try await walk(
            "Places of \(library.source.name)", places, has: { $0.name.has($1) },
            row: { Row($0) }, commands: [("a", "all by name")],
            choose: { try await photos(of: $0) },
            command: { _ in
                try await walk(
                    "Places by name", places.sorted { $0.isBefore($1) }, has: { $0.name.has($1) },
                    row: { Row($0.name) }, choose: { try await photos(of: $0) })
            })
    }

    private func photos(of place: PlaceRecord) async throws {
        let photos = try await library.browsePhotosVisibly(of: place)
        try await walk(place.name, photos, has: { $0.has($1) }, row: { Row($0, in: library) }) {
            try await show(try library.view($0, in: place))
        }
    }

    /// A list of the source, of which nothing is kept.
    private func walk<Record: Sendable>(
        _ title: String, _ records: [Record], has: (Record, String) -> Bool,
        row: @MainActor (Record) -> Row, commands: Guide.Commands = [],
        choose: @MainActor (Record) async throws -> Void,
        command: @MainActor (Character) async throws -> Void = { _ in }
    ) async throws {
        var text = ""
        while true {
            let found = records.filter { has($0, text) }
            switch await Guide.ask(title, found.map(row), commands: commands, searchText: text) {
            case .row(let index): try await choose(found[index])
            case .command(let key): try await command(key)
            case .search(let wanted): text = wanted
            case .back:
                guard !text.isEmpty else { return }
                text = ""
            case .quit: throw Quit()
            }
        }
    }

    private func places(_ scope: PlaceScope, _ title: String) async throws {
        try await Screen.run(title, try library.places(scope), in: library) { place in
            let photos = try library.photos(scope, of: place)
            try await Screen.run(place.name, photos, in: library) { try await view($0) }
        }
    }

    private func recents() async throws {
        try await Screen.run(
            "Recents", try library.recents(), in: library, choose: { try await view($0) })
    }

    private func view(_ photo: Photo) async throws {
        try library.view(photo)
        try await show(photo)
    }

    private func show(_ photo: Photo) async throws {
        await PhotoScreen.show(photo, in: library)
        let key = try await PhotoScreen.ask([
            ("f", photo.isFavorite ? "no favorite any more" : "favorite"),
            ("x", "remove from recents"),
        ])
        switch key {
        case "f": try await library.setFavoriteVisibly(!photo.isFavorite, for: photo)
        case "x": try library.removeFromRecents(photo)
        default: break
        }
    }
}
