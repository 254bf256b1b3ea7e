import PlacesKit

/// The commits that the files keep, as a page lists them, the latest first.
struct CommitList: Encodable {
    struct Entry: Encodable {
        var number: Int
        var date: String
        var author: String?
        var inserted: Int
        var updated: Int
        var deleted: Int
    }

    /// How many commits are listed at most.
    private static let limit = 1_000

    var edition: Int
    var commits: [Entry]
    var omitted: Int

    init(_ edition: LiveDocument.Edition) async throws {
        let kept = try await edition.reader.history()
        self.edition = edition.number
        omitted = max(0, kept.count - Self.limit)
        commits = kept.suffix(Self.limit).reversed().map { commit in
            Entry(
                number: commit.commit.number, date: commit.commit.date.programText,
                author: commit.commit.author, inserted: commit.insertedCount,
                updated: commit.updatedCount, deleted: commit.deletedCount)
        }
    }
}
