import Foundation

/// What a journal gets next: a commit, or several that others made.
struct JournalEntry: Sendable {
    /// What they changed, and what the last of them left.
    let made: CommittedChanges
    /// The lines of several commits, as others have them; empty for one commit, which is written as it was made.
    private let others: [Data]

    init(_ made: CommittedChanges, lines: [Data] = []) { (self.made, others) = (made, lines) }

    /// What the last of the commits left.
    var committed: CommittedGraph { made.committed }

    /// The lines of the commits.
    ///
    /// - Parameters:
    ///   - names: The names of the properties.
    ///   - synced: The latest commit that is known to be on disk before the lines are written.
    ///   - blobs: Writes the blobs.
    /// - Returns: A line for each commit.
    func lines(names: JournalNames, synced: Int, blobs: BlobWriter) -> [[UInt8]] {
        others.isEmpty
            ? [JournalEncoder.line(made, names: names, synced: synced, blobs: blobs)]
            : others.map { $0.withUnsafeBytes(JournalLine.unsynced) }
    }
}
