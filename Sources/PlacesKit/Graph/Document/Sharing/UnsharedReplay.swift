import Foundation
import PlacesBase

/// Gives what waiting commits changed, one after the other, and makes those again of which only the lines are kept.
struct UnsharedReplay {
    /// What the commit before left.
    private(set) var graph: Graph
    /// Makes lines again; `nil` where the commit before had its changes.
    private var replay: JournalReplay?
    private let writer: DocumentWriter

    /// Begins before the first commit.
    ///
    /// - Parameters:
    ///   - graph: What it was made on.
    ///   - writer: Whose files have the bytes of attributes, and whose store the rows.
    init(on graph: Graph, _ writer: DocumentWriter) {
        (self.graph, self.writer) = (graph, writer)
    }

    /// Goes on with commits that may have come since the last one was given, and have rows of their own.
    mutating func renew() { replay = nil }

    /// What the next commit changed.
    ///
    /// - Throws: `DocumentError` where its line can't be made again.
    mutating func changes(of commit: UnsharedCommit) throws -> ChangeSet {
        if let changes = commit.changes {
            (graph, replay) = (changes.after, nil)
            return changes
        }
        guard let line = commit.line else {
            preconditionFailure("commit \(commit.id) has neither changes nor a line")
        }
        return try changes(of: CollectionOfOne(line))
    }

    /// What the next commits changed together, of which there are lines.
    ///
    /// - Throws: `DocumentError` where a line can't be made again.
    mutating func changes(of lines: some Sequence<SharedCommit>) throws -> ChangeSet {
        var replay =
            self.replay ?? JournalReplay(graph, of: writer, ownRows: writer.store.head.graph)
        for line in lines { _ = try replay.apply(line) }
        let changes = replay.takeChanges()
        (graph, self.replay) = (changes.after, replay)
        return changes
    }
}

extension JournalReplay {
    /// Begins on a graph of a document that shares its commits.
    ///
    /// - Parameters:
    ///   - graph: The graph.
    ///   - writer: Whose files have the bytes of attributes, and whose store the rows and the transient values.
    ///   - ownRows: What has the rows of objects that this process made, if it is their commits that are made again.
    init(_ graph: Graph, of writer: DocumentWriter, ownRows: Graph? = nil) {
        self.init(
            graph, checks: writer.store.model.checks, blobs: BlobReader(writer.directory.blobs),
            rows: writer.store.rows, ownRows: ownRows, shown: writer.store.head.graph)
    }

    /// Makes a commit of a log again, which must be the next one.
    mutating func apply(_ commit: SharedCommit) throws -> Commit {
        know(commit.values)
        return try DocumentError.naming(LogExchange.name(commit.number)) {
            try commit.line.withUnsafeBytes { line in
                let record = UnsafeRawBufferPointer(rebasing: line.dropLast())
                return try apply(record, after: commit.number - 1)
            }
        }
    }
}
