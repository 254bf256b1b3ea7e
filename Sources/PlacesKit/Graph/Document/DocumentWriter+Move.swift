import Foundation
import PlacesBase
import Synchronization

extension DocumentWriter {
    /// Writes the whole document elsewhere, and goes on there.
    ///
    /// - Parameters:
    ///   - path: Where no document is yet.
    ///   - format: What snapshots are written as from now on; `nil` leaves that as it is.
    ///   - progress: Is told how many objects there are, and how many were written.
    /// - Returns: False where a snapshot that is being written here has to be finished first.
    /// - Throws: `DocumentError` or `FileSystemError`; the document stays where it is then.
    func move(
        to path: FilePath, as format: SnapshotFormat?, progress: Progress?
    ) throws -> Bool {
        let (old, format) = (directory, format ?? self.format)
        guard !old.isReadOnly else { throw DocumentError.closed(path: old.path.description) }
        let isDone = try state.withLock { state in
            if state.isSnapshotting { return false }
            let base = log.head
            let copy = try DocumentDirectory.make(
                base, at: path, as: format, access: old.updateAccess(),
                old.surroundings, progress: progress)
            let lines = try linesToTell(of: copy, after: base)
            copy.blobs.settle()
            blobLocations.move(to: copy.directory.blobs)
            try? state.journal?.file.close()
            state = State(
                journal: copy.journal, snapshotCount: copy.snapshotCount,
                generation: 1, firstKept: 1, opened: 1, highest: 1,
                blobs: [1: copy.blobs.references],
                blobBalance: BlobBalance(owned: base.graph.blobByteCount))
            currentDirectory.withLock { $0 = copy.directory }
            feed.add(lines)
            log.noteWritten(base)
            noteDurable(base.number)
            return true
        }
        guard isDone else { return false }
        snapshotFormat.withLock { $0 = format }
        status.endSavingError()
        old.close()
        return true
    }

    /// What is to be told of the commits of a copy that were not in this document's files.
    private func linesToTell(
        of copy: DocumentCopy, after base: CommittedGraph
    ) throws -> [[UInt8]] {
        do {
            let lines = feed.isFollowed ? lines(upTo: base.number, copy.blobs) : []
            try copy.blobs.finish()
            return lines
        } catch {
            copy.blobs.abandon()
            copy.directory.discard()
            throw error
        }
    }
}
