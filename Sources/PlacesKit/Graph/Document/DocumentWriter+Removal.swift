import Synchronization

/// Files that nobody needs any more, and when they go.
extension DocumentWriter {
    /// Whether the files have so much that a snapshot would make needless that one is to be begun.
    ///
    /// Bytes that objects have lost may take as much as the journal may, and as those that objects have.
    func needsSnapshot(_ state: State) -> Bool {
        guard let journal = state.journal, !state.isSnapshotting else { return false }
        let (limit, lost) = (options.journalLimit, state.blobBalance.lost)
        return journal.count / state.patience > limit.bytes(for: state.snapshotCount)
            || !options.keepsHistory
                && lost / state.patience
                    > limit.bytes(for: state.snapshotCount + state.blobBalance.owned)
    }

    /// Removes the files of bytes that objects have lost, but for those that somebody in this process may still bring
    /// back or show.
    ///
    /// With the second snapshot, no generation that is kept names them any more.
    func removeLostBlobs() throws {
        guard !options.keepsHistory else { return }
        for _ in 0..<2 { try compact() }
    }

    /// Removes the generations and blobs that nobody needs any more, as well as can be; on the document's queue.
    func tidy(isClosing: Bool = false) {
        // Files of waiting commits come first: they may need what goes.
        let isTidy = outbox?.tidy(in: directory, durable: log.durable, isClosing: isClosing)
        guard isTidy != false else { return }
        let needed = state.withLock {
            state -> (first: Int64, latest: Int64, blobs: [Int64: Set<Int64>]?)? in
            guard state.isUntidy || isClosing && state.leftBlobs else { return nil }
            state.isUntidy = false
            let isKnown = !options.keepsHistory || state.firstKept >= state.opened
            return (state.firstKept, state.generation, isKnown ? state.blobs : nil)
        }
        guard let (first, latest, blobs) = needed, directory.hasLock else { return }
        directory.removeGenerations(before: first)
        guard let blobs else { return }
        // A crash may have left another generation whole, beside the one that was opened. Nobody read to which blobs its
        // snapshot refers, and the journals lead on without it.
        let snapshots = (try? directory.generations().snapshots) ?? []
        for unread in snapshots where unread < latest && blobs[unread] == nil {
            try? directory.files.remove(directory.snapshot(unread))
        }
        let references = blobs.values.reduce(into: Set<Int64>()) { $0.formUnion($1) }
        try? directory.removeBlobs(except: references)
        let left = (try? directory.blobs.numbers())?.contains { !references.contains($0) }
        state.withLock { $0.leftBlobs = left ?? true }
    }

    /// Begins a generation before which there is nothing, for commits have other numbers from here on.
    func beginAnew() throws {
        try compact()
        state.withLock { state in
            state.firstKept = state.generation
            state.isUntidy = true
        }
        tidy()
    }
}
