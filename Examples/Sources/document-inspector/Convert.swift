import ArgumentParser
import ExampleSupport
import Foundation
import PlacesKit

struct Convert: AsyncParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable { case json, xml, binary }

    static let configuration = CommandConfiguration(
        abstract: "Writes a document, or one of its commits, as a new document.")

    @Argument(help: "The document.") var document: DocumentArgument
    @Argument(help: "Where to make the new one: a path where nothing is yet.")
    var destination: NewDocumentArgument
    @Option(help: "What to write it as: JSON, or a property list of either kind.")
    var format: Format

    func run() async throws {
        try await reportingErrors {
            let reader = try await document.open()
            let format: ManagedDocument.Format =
                switch format {
                case .json: .json
                case .xml: .xmlPropertyList
                case .binary: .binaryPropertyList
                }
            try await Spinner.run("Writing") {
                try await reader.duplicate(to: destination.url, as: format)
            }
            print(
                """
                Wrote \(destination.url.path(percentEncoded: false).forTerminal) as \(format.name), \
                up to commit \(reader.commit.number).
                """)
        }
    }
}
