import ArgumentParser
import ExampleSupport
import PlacesKit

struct Overview: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows the top regions; in a terminal, leads you through everything.")

    @OptionGroup var options: LibraryOptions

    @MainActor
    func run() async throws {
        try await options.withLibrary(
            of: TopRegions.name, to: Terminal.isInteractive ? .change : .loadAndShow
        ) { library in
            let regions = try library.topRegions()
            if regions.objects.isEmpty {
                let fetch = try await library.fetchVisibly()
                if let failure = fetch.namingFailure { Terminal.note(Failure.message(of: failure)) }
            }
            guard Terminal.isInteractive else {
                print("Top regions from \(library.source.name)\n")
                return await show(library.rows(of: regions), empty: regions.message ?? "")
            }
            try await Screen.run(
                "Top regions from \(library.source.name)", regions, in: library,
                commands: [("f", "fetch recent photos"), ("h", "viewed last")],
                choose: { region in
                    try await Screen.run(
                        region.name, try library.photos(in: region), in: library,
                        choose: { try await view($0, in: library) })
                },
                command: { key in
                    guard key == "h" else { return print(try await library.fetchVisibly().words) }
                    try await Screen.run(
                        "Viewed last", try library.history(), in: library,
                        choose: { try await view($0, in: library) })
                })
        }
    }

    @MainActor
    private func view(_ photo: Photo, in library: PlacesLibrary) async throws {
        try await library.viewVisibly(photo)
        _ = try await PhotoScreen.ask()
    }
}
