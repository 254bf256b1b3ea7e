import PlacesBase
import Synchronization

extension DocumentWriter {
    /// What snapshots are written as.
    var format: SnapshotFormat { snapshotFormat.withLock(\.self) }

    /// Whether there is something that is not on disk.
    var isBehind: Bool { log.isBehind || outbox?.isBehind ?? false }

    /// Whether the files have more of the log than that on which was made what waits, as after a crash: earlier generations
    /// alone have that, so they stay.
    var isAhead: Bool { outbox.map { $0.confirmedNumber < log.written.number } ?? false }

    /// Whether the files may have commits that could neither be written whole nor removed.
    var filesMayHoldMore: Bool { state.withLock(\.mayHoldMore) }

    /// Makes files of the next generation.
    ///
    /// If that fails, saves go on in the journal that there is, as if nothing had been tried, unless the generation's own
    /// journal may be there: whoever opens the document would go on in that one, and miss what was added to the other. Then
    /// its blobs stay as long as it.
    func tryNextGeneration<Made>(
        _ state: inout State, with blobs: BlobWriter? = nil,
        _ make: (_ generation: Int64) throws -> Made
    ) throws -> (generation: Int64, made: Made) {
        let highest = state.highest
        guard JournalName.generations.contains(highest + 1) else {
            // Nobody would find the files of the next one. No document has so many of its own.
            let snapshot = directory.snapshot(highest)
            let isSnapshot = try directory.files.exists(snapshot)
            throw FileSystemError.unexpected(
                path: (isSnapshot ? snapshot : directory.journal(highest)).description,
                found: .foreign)
        }
        state.highest += 1
        let (directory, access) = (directory, directory.access)
        // Somebody may have changed who may read and write the files.
        directory.updateAccess()
        do {
            return (state.highest, try make(state.highest))
        } catch {
            // What was so for a moment only, and perhaps why it failed, is no rule for other files.
            directory.blobs.setAccess(access)
            if !directory.giveUp(state.highest) {
                state.loseJournal()
                state.blobs[state.highest] = blobs?.references
            }
            throw error
        }
    }
}

extension DocumentWriter.State {
    /// Begins a new generation with the next write, as whoever opens the document may find more than was written.
    mutating func loseJournal() { (journal, mayHoldMore) = (nil, true) }
}
