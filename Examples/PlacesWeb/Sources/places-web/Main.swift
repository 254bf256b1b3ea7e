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

    @Option(parsing: .unconditional, help: "The port; 0 for any that is free.")
    var port = 8_080
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
    @Flag(help: ArgumentHelp("Lines of input move the time ahead.", visibility: .hidden))
    var timeFromInput = false

    func validate() throws {
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port must be between 0 and 65535.")
        }
        guard documents != "" else {
            throw ValidationError("--documents is empty. Give a folder, or leave it out.")
        }
    }

    @MainActor
    func run() async throws {
        let site = PlacesSite([
            TopPlacesSystem.self, FavoritePlacesSystem.self, TopRegionsSystem.self,
            VirtualTouristSystem.self,
        ])
        let server = WebServer(site, host: host, port: port)
        let time = timeFromInput ? MovableTime() : nil
        do {
            let serving = Task {
                try await server.run { address in
                    try? FileHandle.standardOutput.write(contentsOf: Data("Open \(address)\n".utf8))
                    time?.followInput()
                }
            }
            // Pages are served meanwhile, and say how far that is; what cannot be opened ends the server.
            let opening = Task {
                do {
                    try await site.open { try await open($0, time, $1) }
                } catch {
                    serving.cancel()
                    throw error
                }
            }
            let served = await serving.result
            do {
                try await opening.value
            } catch {
                // The first failure is the one to tell, and what was done in the others is kept.
                try? await site.close()
                throw error
            }
            try await site.close()
            try served.get()
        } catch {
            throw Failure.translated(error)
        }
    }

    /// Opens the library of a system, in the document of its program; only to read it while that program
    /// changes it.
    @MainActor
    private func open(
        _ type: any PhotoSystem.Type, _ time: MovableTime?, _ progress: Progress
    ) async throws -> PlacesLibrary {
        let folder =
            documents.map { URL(filePath: $0, directoryHint: .isDirectory) }
            ?? DocumentOption.usualFolder
        try DocumentOption.make(folder)
        let url = folder.appending(path: type.name + source.suffix, directoryHint: .isDirectory)
        let source = try source.makeSource()
        var options = PlacesLibrary.Options()
        if let time { (options.now, options.clock) = (time.now, time.clock) }
        options.document.progress = progress
        do {
            return try await PlacesLibrary.open(at: url, source: source, options: options)
        } catch DocumentError.locked {
            options.document.isReadOnly = true
            return try await PlacesLibrary.open(at: url, source: source, options: options)
        }
    }
}
