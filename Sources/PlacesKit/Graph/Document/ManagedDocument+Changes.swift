public import Foundation
import PlacesBase

extension ManagedDocument {
    /// Follows the document's commits after a given one, once and in order.
    ///
    /// ```swift
    /// for try await change in document.changes(since: lastSeen) {
    ///     try replica.apply(change)
    ///     lastSeen = change.commit
    /// }
    /// ```
    /// The sequence first reads the journal, and then waits for new commits. It delivers a commit
    /// when it is on disk, so after a power cut a consumer never has more commits than the
    /// document. The sequence ends when the document is closed. In a document that is only read it
    /// ends with the commits that are in the files by then.
    ///
    /// For a slow consumer some commits wait in memory. The sequence reads the others from the
    /// files when their turn comes, even after the document was closed. If the files no longer keep
    /// them, it fails with `HistoryError.notKept`: begin again after the last commit that you got,
    /// or copy everything. While the disk takes nothing the sequence delivers what is on it, and the rest when there is room
    /// again.
    ///
    /// - Parameters:
    ///   - number: The commit after which to begin. If the files do not reach back to it, the
    ///     sequence fails with `HistoryError.notKept`; with ``Options/keepsHistory`` they do. It
    ///     fails with `HistoryError.migrated` if the document was migrated since, or the model renamed something, with
    ///     `HistoryError.notCommitted` if there is no such commit yet, or with `DocumentError`.
    ///   - limit: How many commits wait in memory at most. A large commit counts as one more for
    ///     each 4 KB of its line.
    /// - Returns: The changes, for one consumer.
    public func changes(
        since number: Int, waiting limit: Int = 1024
    ) -> AsyncThrowingStream<ChangeRecord, any Error> {
        let writer = writer
        let (follower, records) = ChangeFollower.make(after: number, limit: limit) { follower in
            try await writer.queue.run { writer.readLines(for: follower) }
        }
        writer.queue.submit {
            writer.feed.follow(follower)
            writer.readLines(for: follower)
        }
        return records
    }

    /// Writes the document's commits after a given one to a file, as JSON Lines.
    ///
    /// It does so until the document is closed and all that is in the files by then is written, or the task is cancelled;
    /// in a document that is only read, until all that is in the files is written. It waits for who reads slowly, and
    /// the caller's actor is free meanwhile. If it is cancelled or fails, a part of a line may be written.
    ///
    /// - Parameters:
    ///   - number: The commit after which to begin.
    ///   - handle: A file, a pipe or a socket, which is open.
    /// - Throws: What ``changes(since:waiting:)`` throws, or an error of writing to the handle: `POSIXError` with
    ///   `EPIPE` if nobody reads the pipe or the socket any more.
    public nonisolated(nonsending) func writeChanges(
        since number: Int, to handle: FileHandle
    ) async throws {
        let queue = BlockingQueue("PlacesKit.Changes")
        let output = try OpenOutput(sharing: handle.fileDescriptor)
        do {
            for try await change in changes(since: number) {
                let line = change.line
                if let output, !handle.isKnownClosed {
                    try await queue.run { try output.write(line, $0) }
                } else {
                    // It is closed, or the null device: nothing waits.
                    try handle.write(contentsOf: line)
                }
            }
        } catch is CancellationError {
            // As if there were no more commits.
        }
    }
}

extension FileHandle {
    /// Whether it was closed, where one may ask.
    ///
    /// On Apple's platforms a closed one answers with an exception of Objective-C's, which ends the program.
    fileprivate var isKnownClosed: Bool {
        #if canImport(Darwin)
            false
        #else
            fileDescriptor < 0
        #endif
    }
}

extension DocumentDirectory {
    /// The lines of the commits after one, up to the latest, as many as there is room for.
    ///
    /// Who knows a position has them from there on, others from the last journal that begins at the commit or before. What
    /// all journals say is read only where they do not lead on from there; then the commit has to be the one that was
    /// `known`. What the model renames has its new name from the next journal on: who begins before that is told now, and
    /// not halfway.
    fileprivate func lines(
        after number: Int, _ known: Commit?, latest: Int, limit: Int, before own: JournalHeader?,
        from position: inout ChangePosition?
    ) throws -> WaitingLines {
        // Who only reads may be told that the document was migrated since.
        if number == latest, !isReadOnly { return WaitingLines() }
        // What fails is found, and told, where all is read.
        if number <= latest,
            var known = try? position ?? ChangePosition(after: number, in: self, before: own),
            let lines = try? known.takeLines(
                after: number, latest: latest, limit: limit, in: self)
        {
            position = known
            return lines
        }
        var next: ChangePosition?
        var lines = WaitingLines()
        var (previous, migration): (JournalHeader?, Int?) = (nil, nil)
        // The last commit that was found, the one before those that follow each other up to it, and the last there is.
        var (last, start, newest) = (number, number, latest)
        // The last one that is kept, and the one before those that follow each other up to it.
        var (end, kept) = (-1, 0)
        func note(_ commit: Commit) throws {
            if let known, commit.number == known.number, !commit.isSame(as: known) {
                throw DocumentError.replaced(path: path.description)
            }
        }
        // What is not kept any more is told as that.
        try forEachRecord(passingOverGone: isReadOnly) { beginning in
            let header = beginning.header
            try note(header.commit)
            if header.commit.number > end {
                (end, kept) = (header.commit.number, header.commit.number)
            }
            if header.commit.number <= number { next = ChangePosition(beginning: beginning) }
            if header.isMigration || !(previous?.leads(to: header) ?? true) {
                migration = header.commit.number
            }
            previous = header
            newest = max(newest, header.commit.number)
        } _: { line, commit in
            newest = max(newest, commit)
            if commit == known?.number { try note(Commit(ChangeRecord(line: Array(line)))) }
            end = max(end, commit)
            guard commit > last, commit <= latest else { return }
            if commit > last + 1 { start = commit - 1 }
            last = commit
            if start == number {
                lines.add(Array(line) + [UInt8(ascii: "\n")], limit: limit)
            }
        }
        if let own, !(previous?.leads(to: own) ?? true) { migration = newest }
        if let migration, migration > number {
            throw HistoryError.migrated(number, by: migration)
        }
        // Who only reads may be behind: somebody may have such a commit from the files already.
        guard number <= newest else { throw HistoryError.notCommitted(number, latest: newest) }
        if latest > number, start > number || last < latest {
            throw HistoryError.notKept(number, kept: end < latest ? latest...latest : kept...end)
        }
        position = next
        return lines
    }
}

extension DocumentWriter {
    /// Lets somebody who follows have the next lines from the files.
    ///
    /// It is called on the queue, so nothing is written between what is read and what follows.
    fileprivate func readLines(for follower: ChangeFollower) {
        follower.add { number, commit, position in
            let isWritten = try writeToRead(.disk) == nil
            var lines = WaitingLines()
            // Somebody may have a commit from the store that is not on disk.
            if isWritten || number <= log.durable || number > log.latest {
                let own =
                    directory.isReadOnly
                    ? nil
                    : JournalHeader(generation: 0, commit: .beforeAll, schema: store.model.schema)
                lines = try directory.steadily {
                    try directory.lines(
                        after: number, commit, latest: log.durable, limit: follower.limit,
                        before: own, from: &position)
                }
            }
            lines.mayLackNext = !isWritten
            return lines
        }
        if directory.isReadOnly, !follower.goesOn { follower.finish() }
    }

    /// Writes all commits, so that the files have them, unless they are only read.
    ///
    /// - Returns: Why that could not be done, as on a full disk; then what is there can be read nevertheless, and the
    ///   document has told of it.
    /// - Throws: `DocumentError` where the files may be another document's.
    func writeToRead(_ durability: ManagedDocument.Durability) throws -> (any Error)? {
        if directory.isReadOnly { return nil }
        do {
            try write(durability)
            return nil
        } catch {
            if case .replaced? = error as? DocumentError { throw error }
            return error
        }
    }
}
