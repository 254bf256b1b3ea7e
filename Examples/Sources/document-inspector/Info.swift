import ArgumentParser
import ExampleSupport
import Foundation
import PlacesKit

struct Info: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows what a document is: its format, last commit, sizes and files.")

    @Argument(help: "The document.") var document: DocumentArgument
    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
        try await reportingErrors {
            let reader = try await document.open()
            let summary = Summary(reader)
            if json { return try Listing.showJSON(summary) }
            print("Document  \(summary.path.forTerminal)")
            print("Format    \(reader.format.name)")
            print("Commit    \(summary.commit) of \(reader.commit.date.exactLocalText)")
            if let author = summary.author { print("Author    \(author.forTerminal)") }
            print("Entities  \(summary.entities)")
            print("Objects   \(summary.objects)\n")
            var table = TextTable([.init("file"), .init("bytes", isRightAligned: true)])
            for file in summary.files { table.add([file.name, "\(file.bytes)"]) }
            Listing.show(table)
        }
    }
}

/// What is to be told of a document.
private struct Summary: Encodable {
    struct File: Encodable {
        var name: String
        var bytes: Int
    }

    var path: String
    var format: String
    var commit: Int
    var date: Date
    var author: String?
    var entities: Int
    var objects: Int
    var files: [File]

    init(_ reader: DocumentReader) {
        path = reader.url.path(percentEncoded: false)
        format = reader.format.rawValue
        (commit, date, author) = (
            reader.commit.number, reader.commit.date, reader.commit.author
        )
        entities = reader.schema.entities.count
        // Those of a superentity are counted with it.
        objects = reader.schema.entities.lazy.filter { $0.superentity == nil }
            .reduce(0) { $0 + reader.count(of: $1.name) }
        files = Self.files(in: reader.url)
    }

    private static func files(in folder: URL) -> [File] {
        let keys: Set<URLResourceKey> = [.fileSizeKey, .isRegularFileKey]
        let found = try? FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: Array(keys))
        return (found ?? [])
            .compactMap { url in
                guard let values = try? url.resourceValues(forKeys: keys),
                    values.isRegularFile == true
                else { return nil }
                return File(name: url.lastPathComponent, bytes: values.fileSize ?? 0)
            }
            .sorted { $0.name < $1.name }
    }
}
