import ExampleSupport
import Foundation
import PlacesKit

/// Works out what commits changed, each once and one after the other: the document is read twice for it.
actor CommitDifferences {
    private static let limit = 20

    private let url: URL
    private let desk: QueryDesk
    private var known: [(commit: Int, difference: CommitDifference)] = []
    private var latest: Task<CommitDifference, any Error>?

    init(_ url: URL, _ desk: QueryDesk) { (self.url, self.desk) = (url, desk) }

    /// What a commit changed.
    ///
    /// - Throws: `HistoryError` where the files do not keep it, and a `Problem` where they do not keep the one
    ///   before.
    func difference(_ number: Int) async throws -> CommitDifference {
        if let found = known.first(where: { $0.commit == number }) { return found.difference }
        let former = latest
        let task = Task { [url, desk] in
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
            return try await desk.run("history \(number)") {
                try CommitDifference(from: old, to: new)
            }
        }
        latest = task
        let difference = try await task.value
        known.append((number, difference))
        if known.count > Self.limit { known.removeFirst() }
        return difference
    }
}
