import ArgumentParser
import ExampleSupport
import Foundation
import PlacesKit
import WebSupport

/// Serves what is in a document to browsers.
@main
struct DocumentWeb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "document-web",
        abstract: "Looks into any PlacesKit document in a browser, without its classes.",
        discussion: """
            It only reads. What another program saves in the document shows within a second.

            The exit code is 2 where there is no document that can be read or no port to be had, and 64 for a \
            command that makes no sense.
            """)

    @Argument(help: "The document's folder.") var folder: String
    @Option(parsing: .unconditional, help: "The port; 0 for any that is free.")
    var port = 8_081
    @Option(
        help: ArgumentHelp(
            "The address to listen at.",
            discussion:
                "At any but a loopback address, browsers need the token in the address that is printed."
        ))
    var host = "127.0.0.1"
    @Option(parsing: .unconditional, help: "How many seconds a query may take.")
    var timeLimit = 10.0

    func validate() throws {
        guard !folder.isEmpty else { throw ValidationError("Give the document's folder.") }
        guard (0...65_535).contains(port) else {
            throw ValidationError("--port must be between 0 and 65535.")
        }
        guard timeLimit > 0, timeLimit <= 3_600 else {
            throw ValidationError("--time-limit must be more than 0, and at most 3600.")
        }
    }

    func run() async throws {
        do {
            let document = try await LiveDocument.open(
                at: URL(filePath: folder, directoryHint: .isDirectory))
            let site = DocumentSite(document, timeLimit: .seconds(timeLimit))
            let following = Task { await document.keepCurrent() }
            defer { following.cancel() }
            try await WebServer(site, host: host, port: port).run { address in
                try? FileHandle.standardOutput.write(contentsOf: Data("Open \(address)\n".utf8))
            }
        } catch {
            Terminal.note("document-web: \(Failure.message(of: error))")
            throw ExitCode(2)
        }
    }
}
