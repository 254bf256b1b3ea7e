public import Foundation

extension ManagedDocument {
    /// The document's commits after one, from the journal first and then as they come, once and in
    /// order.
    ///
    /// ```swift
    /// for try await change in document.changes(since: lastSeen) {
    ///     try replica.apply(change)
    ///     lastSeen = change.commit
    /// }
    /// ```
    /// A commit is handed out when it is on disk, so whoever follows never knows more than the document
    /// after a power cut. The sequence ends when the document is closed.
    ///
    /// - Parameter number: The commit after which to begin; the files must reach back to it, as those
    ///   of a document with ``Options/keepsHistory`` do. It fails with `HistoryError.notKept` otherwise,
    ///   with `HistoryError.migrated` where the document was migrated since, or with `DocumentError`.
    /// - Returns: The changes, for one consumer.
    public func changes(since number: Int) -> AsyncThrowingStream<ChangeRecord, any Error> {
        let (stream, continuation) = AsyncThrowingStream<ChangeRecord, any Error>.makeStream()
        let writer = writer
        writer.queue.submit {
            do {
                // Nothing is written between what is read here and what follows.
                if !writer.directory.isReadOnly { try writer.write(.disk) }
                let lines = try writer.directory.steadily {
                    try writer.directory.lines(after: number, latest: writer.log.durable)
                }
                for line in lines {
                    continuation.yield(try ChangeRecord(line: line))
                }
                writer.feed.follow(continuation)
                if writer.directory.isReadOnly { continuation.finish() }
            } catch {
                continuation.finish(throwing: error)
            }
        }
        return stream
    }

    /// Writes the document's commits after one to a file, as JSON Lines, until the document is closed or
    /// the task cancelled.
    ///
    /// - Parameters:
    ///   - number: The commit after which to begin.
    ///   - handle: A file, a pipe or a socket.
    /// - Throws: What ``changes(since:)`` throws, or why the handle could not be written.
    public nonisolated(nonsending) func writeChanges(
        since number: Int, to handle: FileHandle
    ) async throws {
        for try await change in changes(since: number) { try handle.write(contentsOf: change.line) }
    }
}

extension JournalHeader {
    /// Whether both journals are of one version of the model, with the same names for the same things.
    fileprivate func hasNames(of other: JournalHeader) -> Bool {
        let match = SnapshotMatch(entities, other.entities)
        return modelVersion == other.modelVersion && match.differences.isEmpty
            && match.names.allSatisfy { $0.allSatisfy { $0.key == $0.value } }
    }
}

extension DocumentDirectory {
    /// The lines of the commits after one, up to the latest.
    fileprivate func lines(after number: Int, latest: Int) throws -> [[UInt8]] {
        var lines: [Int: [UInt8]] = [:]
        var previous: JournalHeader?
        var migration: Int?
        try forEachRecord { header in
            if let previous, !previous.hasNames(of: header) { migration = header.commit.number }
            previous = header
        } _: { line, commit in
            if commit > number { lines[commit] = Array(line) + [UInt8(ascii: "\n")] }
        }
        if let migration, migration > number {
            throw HistoryError.migrated(number, by: migration)
        }
        guard latest > number else { return [] }
        return try (number + 1...latest).map { commit in
            guard let line = lines[commit] else {
                let first = (commit...latest).last { lines[$0] == nil } ?? latest
                throw HistoryError.notKept(number, kept: first...latest)
            }
            return line
        }
    }
}
