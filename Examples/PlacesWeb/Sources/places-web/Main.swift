import ArgumentParser
import ExampleSupport
import Foundation
import PlacesKit
import WebSupport

/// Serves the four systems to browsers.
@main
struct PlacesWeb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "places-web",
        abstract: "Top Places, favorites, Top Regions and Virtual Tourist in a browser, live.",
        discussion: """
            It shows and changes the documents of the four programs. Pages keep themselves current, in all \
            browsers at once.
            """)

    @Option(help: "The port; 0 for any that is free.") var port = 8_080
    @Option(
        help: ArgumentHelp(
            "The address to listen at.",
            discussion:
                "At any but a loopback address, browsers need the token in the address that is printed."
        ))
    var host = "127.0.0.1"
    @Option(
        help: ArgumentHelp(
            "The folder with the documents of the four programs, made if need be.",
            valueName: "folder"))
    var documents: String?
    @OptionGroup(title: "Source") var source: SourceOptions

    func validate() throws {
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port must be between 0 and 65535.")
        }
    }

    @MainActor
    func run() async throws {
        do {
            let systems: [any PhotoSystem] = [
                try await open(TopPlacesSystem.self), try await open(FavoritePlacesSystem.self),
                try await open(TopRegionsSystem.self), try await open(VirtualTouristSystem.self),
            ]
            let server = WebServer(PlacesSite(systems), host: host, port: port)
            try await server.run { address in
                FileHandle.standardOutput.write(Data("Open \(address)\n".utf8))
            }
            for system in systems { try await system.library.close() }
        } catch {
            throw Failure.translated(error)
        }
    }

    /// Opens a system on the document of its program; only to read it while that program changes it.
    @MainActor
    private func open<System: PhotoSystem>(_ type: System.Type) async throws -> System {
        let folder =
            documents.map { URL(filePath: $0, directoryHint: .isDirectory) }
            ?? DocumentOption.usualFolder
        try DocumentOption.make(folder)
        let url = folder.appending(path: System.name + source.suffix, directoryHint: .isDirectory)
        let source = try source.makeSource()
        do {
            return System(try await PlacesLibrary.open(at: url, source: source))
        } catch DocumentError.locked {
            var options = PlacesLibrary.Options()
            options.document.isReadOnly = true
            return System(try await PlacesLibrary.open(at: url, source: source, options: options))
        }
    }
}
