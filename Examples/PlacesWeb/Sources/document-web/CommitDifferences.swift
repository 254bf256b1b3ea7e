import ExampleSupport
import Foundation
import PlacesKit

/// Works out what commits changed, each once and one after the other: the document is read twice for it.
actor CommitDifferences {
    private typealias Known = (commit: Commit, difference: CommitDifference)

    private static let limit = 20

    private let url: URL
    private let desk: QueryDesk
    private var known: [Known] = []
    private var latest: Task<Known, any Error>?

    init(_ url: URL, _ desk: QueryDesk) { (self.url, self.desk) = (url, desk) }

    /// What a commit changed.
    ///
    /// What is known of another one of its number, as before the folder became another document's, does not count.
    ///
    /// - Throws: `HistoryError` where the files do not keep it, and a `Problem` where they do not keep the one
    ///   before.
    func difference(
        _ number: Int, in edition: LiveDocument.Edition
    ) async throws -> CommitDifference {
        if known.contains(where: { $0.commit.number == number }),
            let now = try await edition.reader.history().first(where: { $0.id == number }),
            let found = known.first(where: { $0.commit == now.commit })
        {
            return found.difference
        }
        let former = latest
        let task = Task<Known, any Error> { [url, desk] in
            _ = await former?.result
            // The one that was asked for comes first, so that an error is about that.
            let new = try await DocumentReader.open(at: url, commit: number)
            let old: DocumentReader
            do {
                old = try await DocumentReader.open(at: url, commit: number - 1)
            } catch HistoryError.notKept {
                throw Problem(
                    """
                    The files keep nothing from before commit \(number), so what it changed is not \
                    known.
                    """)
            }
            let difference = try await desk.run("history \(number)") {
                try CommitDifference(from: old, to: new)
            }
            return (new.commit, difference)
        }
        latest = task
        let found = try await task.value
        known.append(found)
        if known.count > Self.limit { known.removeFirst() }
        return found.difference
    }
}
