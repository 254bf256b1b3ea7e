import ArgumentParser
import ExampleSupport
import Foundation
import PlacesKit

struct History: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Lists the commits that the files keep, oldest first.",
        discussion: "Look at one of them with FOLDER@NUMBER, and compare two with diff.")

    @Argument(help: "The document.") var document: DocumentArgument
    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
        try await reportingErrors {
            let commits = try await document.open().history().map(CommitOutline.init)
            if json { return try Listing.showJSON(commits) }
            var table = TextTable([
                .init("commit", isRightAligned: true), .init("date"),
                .init("inserted", isRightAligned: true), .init("updated", isRightAligned: true),
                .init("deleted", isRightAligned: true), .init("author"),
            ])
            for commit in commits {
                table.add([
                    "\(commit.commit)", commit.date.localText, "\(commit.inserted)",
                    "\(commit.updated)", "\(commit.deleted)", commit.author ?? "",
                ])
            }
            Listing.show(table)
        }
    }
}

/// What is to be told of a commit.
private struct CommitOutline: Encodable {
    var commit: Int
    var date: Date
    var author: String?
    var inserted: Int
    var updated: Int
    var deleted: Int

    init(_ commit: DocumentCommit) {
        self.commit = commit.commit.number
        (date, author) = (commit.commit.date, commit.commit.author)
        (inserted, updated, deleted) = (
            commit.insertedCount, commit.updatedCount, commit.deletedCount
        )
    }
}
