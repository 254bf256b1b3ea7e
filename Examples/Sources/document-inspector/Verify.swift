import ArgumentParser
import ExampleSupport
import Foundation
import PlacesKit

struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks every file of a document, and says what is wrong, where, and what to do.")

    @Argument(help: "The document's folder.") var folder: String

    func run() async throws {
        try await reportingErrors {
            let url = URL(filePath: folder, directoryHint: .isDirectory)
            let report = try await Spinner.run("Checking \(folder)") {
                try await ManagedDocument.verify(at: url)
            }
            report.show()
            let summary =
                "\(Listing.counted(report.objectCount, "object")) up to commit \(report.lastCommit)"
            guard !report.isSound else { return print("Sound: \(summary).") }
            print(
                report.canBeOpened
                    ? "It can be opened: \(summary)." : "It cannot be opened; salvage what is left."
            )
            throw Outcome.findings
        }
    }
}

struct Salvage: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Makes a new document of all that can still be read of a damaged one.")

    @Argument(help: "The damaged document's folder.") var folder: String
    @Argument(help: "Where to make the new one: a path where nothing is yet.")
    var destination: NewDocumentArgument

    func run() async throws {
        try await reportingErrors {
            let url = URL(filePath: folder, directoryHint: .isDirectory)
            let report = try await Spinner.run("Salvaging \(folder)") {
                try await ManagedDocument.salvage(from: url, to: destination.url)
            }
            report.show()
            print(
                """
                Saved \(Listing.counted(report.objectCount, "object")) up to commit \
                \(report.lastCommit).
                """)
            if !report.problems.isEmpty { throw Outcome.findings }
        }
    }
}

extension DocumentReport {
    /// Prints what was found, a paragraph each.
    fileprivate func show() {
        for problem in problems {
            // Most descriptions begin with the name of the file.
            let isNamed = problem.description.contains(problem.file)
            let place = isNamed ? "" : "\(problem.file): "
            print((place + problem.description).forTerminal)
        }
        for finding in recovery.findings { print(finding.description.forTerminal) }
    }
}
