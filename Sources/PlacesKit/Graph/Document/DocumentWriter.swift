import Foundation
import PlacesBase
import Synchronization

/// Brings the commits of a store into the files of a document.
///
/// A save adds a line to the journal. When the journal outgrows its limit a new one is begun, and a
/// snapshot of what the old one led to is written in the background from an immutable graph; then the
/// manifest names the new generation. The generation before it stays until the next one comes, so that
/// a damaged snapshot has another behind it. The same happens when objects have lost many bytes with
/// external storage, whose files go with the last generation that names them.
///
/// All calls that touch files run on the document's own threads, one after the other. So saves that
/// wait while one brings its commits to disk find theirs written together by the first of them.
final class DocumentWriter: Sendable {
    struct State {
        /// The journal that is written; `nil` where a new generation has to be begun.
        var journal: OpenCommitFile?
        var snapshotCount: Int
        /// The generation that the manifest names, and the first one that is kept.
        var generation: Int64
        var firstKept: Int64
        /// The generation that the document was opened with: it is not known to which blobs earlier ones refer.
        let opened: Int64
        /// The highest number that any file has.
        var highest: Int64
        /// The blobs to which the snapshot and journal of a generation, or of one before it, refer.
        var blobs: [Int64: Set<Int64>]
        var blobBalance = BlobBalance()
        /// Whether the files may have commits that could neither be written whole nor removed.
        var mayHoldMore = false
        /// Whether there may be files that nobody needs any more.
        var isUntidy = false
        /// Whether blobs were left to which somebody in this process alone referred.
        var leftBlobs = false
        /// Whether a snapshot is being written.
        var isSnapshotting = false
        /// Whether a generation is begun when commits wait for a log and there is no journal.
        var mayBeginOffline = true
        /// How often the limit is stretched, after snapshots that failed.
        var patience = 1
    }

    /// What `directory` is, until the document is moved.
    let currentDirectory: Mutex<DocumentDirectory>
    let log: CommitLog
    let status = DocumentStatus()
    let feed = ChangeFeed()
    let queue = DocumentQueue()
    private let isClosed = Atomic(false)
    private let snapshots = DocumentQueue()
    let store: GraphStore
    let options: ManagedDocument.Options
    /// Where the blobs of the document are, and were.
    let blobLocations: BlobLocations
    /// The commits that a shared log does not have, where the document is shared.
    let outbox: Outbox?
    private let names: JournalNames
    /// The commit that migrated the document when it was opened.
    private let migration: Int?
    let state: Mutex<State>
    /// What snapshots are written as; apart from the state, which is locked while files are written.
    let snapshotFormat: Mutex<SnapshotFormat>

    /// Goes on with what was read, after the last commit that the files have.
    init(
        _ directory: DocumentDirectory, _ content: DocumentContent, store: GraphStore,
        after committed: CommittedGraph, outbox: Outbox? = nil,
        options: ManagedDocument.Options
    ) throws {
        self.outbox = outbox
        currentDirectory = Mutex(directory)
        self.store = store
        self.options = options
        names = JournalNames(store.model.layout)
        migration = content.isMigrated ? content.commit.number : nil
        log = CommitLog(committed, names: names)
        snapshotFormat = Mutex(content.generation == 0 ? options.format : content.format)
        state = Mutex(
            State(
                snapshotCount: content.snapshotCount, generation: content.generation,
                firstKept: content.generation, opened: content.generation,
                highest: content.highestGeneration, blobs: content.blobsOfGenerations,
                blobBalance: directory.isReadOnly
                    ? BlobBalance() : BlobBalance(of: committed.graph, named: content.blobs)))
        blobLocations = BlobLocations(directory.blobs, options.onUnreadableData)
        guard !directory.isReadOnly else { return }
        // Names that were read may be in the system's memory only, if a disk failed or a process was
        // killed: what is written to these files would be safe, and not found.
        if content.generation > 0 {
            try directory.files.synchronizeDirectory(directory.path)
        } else {
            try? directory.surroundings.synchronizeDirectory(directory.path.parent)
        }
        try directory.replaceLostManifest(of: content.generation)
        guard let journal = content.position else { return }
        try state.withLock { state in
            let (open, goesOn) = (
                try OpenCommitFile(journal.generation, of: directory, count: journal.byteCount),
                !content.needsGeneration
            )
            // Also where another one follows: it could only be read up to there, if the snapshot of that one is damaged.
            if content.isTorn { try open.file.truncate(to: journal.byteCount) }
            // The same holds for what was read.
            try open.file.synchronize()
            if goesOn { state.journal = open }
        }
    }

    /// Where the document lies.
    var directory: DocumentDirectory { currentDirectory.withLock(\.self) }

    /// Lets others have the document; called on its queue.
    func close() {
        isClosed.store(true, ordering: .relaxed)
        // Nobody reads the files once they are closed.
        feed.finish()
        directory.close()
    }

    // MARK: - Saving

    /// Writes all commits for who does so by itself: the document may have been closed meanwhile, and be another's.
    func writeIfOpen(_ durability: ManagedDocument.Durability) throws {
        if !isClosed.load(ordering: .relaxed) { try write(durability) }
    }

    /// Writes all commits, and brings them to disk if asked to; blocks.
    ///
    /// - Parameters:
    ///   - durability: What is to be survived.
    ///   - isSaving: Whether it is enough that nothing is lost: somebody waits.
    ///   - isClosing: Whether nothing is written any more.
    /// - Throws: `DocumentError` or `FileSystemError`.
    func write(
        _ durability: ManagedDocument.Durability, isSaving: Bool = false, isClosing: Bool = false
    ) throws {
        defer { tidy(isClosing: isClosing) }
        do {
            let isBehind = isBehind
            if isBehind { try directory.checkLock() }
            while let outbox, try !outbox.write(durability, in: directory, on: log.durable) {
                try state.withLock { try write(.disk, &$0) }
            }
            // What the outbox has on disk is made again from there, on what it begins with.
            let isEnough = isSaving && !feed.isFollowed && outbox?.isShort ?? false
            try state.withLock { state in
                try write(isEnough ? .system : durability, &state)
                // What waits for a log is written, so a generation that can't be begun is no failure of the save; where it
                // can't, as for lack of room, it is not tried at each.
                if isBehind, outbox != nil, state.journal == nil, state.mayBeginOffline {
                    state.mayBeginOffline = (try? begin(&state, as: format)) != nil
                }
            }
        } catch {
            status.set(.savingError(DocumentError(error)))
            throw error
        }
        status.endSavingError()
    }

    private func write(_ durability: ManagedDocument.Durability, _ state: inout State) throws {
        let isNew = state.generation == 0
        if log.isBehind, try state.journal?.isInPlace() == false { state.journal = nil }
        if state.journal == nil, isNew || log.isBehind { try begin(&state, as: format) }
        let entries = log.entries
        if !entries.isEmpty { try append(entries, &state) }
        if durability == .disk, log.durable < log.written.number { try synchronize(&state) }
        if let journal = state.journal, needsSnapshot(state) {
            // The commits are written, so a journal that cannot be begun is no failure of the save.
            try? rotate(journal.file, &state)
        }
    }

    private func append(_ entries: ContiguousArray<JournalEntry>, _ state: inout State) throws {
        guard let journal = state.journal, let last = entries.last?.made else { return }
        let synced = log.durable
        let blobs = BlobWriter(directory.blobs, adopts: true)
        let lines = entries.flatMap { $0.lines(names: names, synced: synced, blobs: blobs) }
        try blobs.finish()
        state.blobs[state.highest, default: []].formUnion(blobs.references)
        let bytes = lines.count == 1 ? lines[0] : lines.reduce(into: [], +=)
        do {
            try journal.file.write(bytes)
        } catch {
            // What a full disk took of the line would spoil the next one.
            do { try journal.file.truncate(to: journal.count) } catch { state.loseJournal() }
            throw error
        }
        state.journal?.count += bytes.count
        for entry in entries { state.blobBalance += entry.blobBalance }
        feed.add(lines)
        log.noteWritten(last.committed)
    }

    /// Brings to disk what was written, and writes nothing; blocks.
    func synchronize() throws {
        try state.withLock { if try $0.journal?.isInPlace() == true { try synchronize(&$0) } }
    }

    private func synchronize(_ state: inout State) throws {
        guard let file = state.journal?.file else { return }
        let number = log.written.number
        do {
            try file.synchronize()
        } catch {
            // NB: systems forget what they could not write, and say the next time that all is well. So
            // the journal is not trusted any more.
            state.journal = nil
            throw error
        }
        noteDurable(number)
    }

    /// Goes on after a commit that does not follow the last one: the next write begins a generation with it.
    func restart(after commit: CommittedChanges) {
        state.withLock { state in
            state.journal = nil
            if feed.isFollowed {
                feed.add([JournalEncoder.line(commit, names: names, synced: 0)])
            }
            log.restart(after: commit.committed)
        }
    }

    func noteDurable(_ number: Int) {
        log.noteDurable(number)
        feed.deliver()
    }

    // MARK: - Generations

    /// Begins a generation with a snapshot of everything.
    private func begin(
        _ state: inout State, as format: SnapshotFormat, progress: Progress? = nil
    ) throws {
        try directory.checkLock()
        try outbox?.renew(in: directory)
        let base = options.keepsHistory ? log.written : log.head
        let isFirst = state.generation == 0
        let blobs = BlobWriter(directory.blobs, adopts: true)
        let lines = feed.isFollowed ? lines(upTo: base.number, blobs) : []
        let (generation, made) = try tryNextGeneration(&state, with: blobs) { generation in
            try directory.begin(
                base, generation: generation, format: format, isFirst: isFirst,
                isMigration: base.number == migration, blobs: blobs, progress: progress)
        }
        (state.journal, state.mayHoldMore) = (made.journal, false)
        state.blobs[generation] = blobs.references
        settle(generation, &state, isAhead: isAhead)
        state.snapshotCount = made.snapshotCount
        state.blobBalance = BlobBalance(owned: base.graph.blobByteCount)
        feed.add(lines)
        log.noteWritten(base)
        noteDurable(base.number)
    }

    /// The lines of the commits that a snapshot makes needless, for those who follow them.
    func lines(upTo number: Int, _ blobs: BlobWriter) -> [[UInt8]] {
        log.entries.filter { $0.number <= number }.flatMap {
            $0.lines(names: names, synced: number, blobs: blobs)
        }
    }

    /// Notes that the manifest names a generation, so that nobody needs what came before the one before it, unless it
    /// is history.
    private func settle(_ generation: Int64, _ state: inout State, isAhead: Bool) {
        let previous = state.generation
        state.generation = generation
        if isAhead { return }
        if options.keepsHistory, options.historyLimit.isUnlimited { return }
        state.firstKept =
            options.keepsHistory ? directory.firstKept(of: options, previous) : previous
        state.blobs = state.blobs.filter { [first = state.firstKept] in $0.key >= first }
        state.isUntidy = true
    }

    /// Begins a journal, and lets the snapshot that comes before it be written in the background.
    private func rotate(_ file: any WritableFile, _ state: inout State) throws {
        if log.durable < log.written.number { try synchronize(&state) }
        try outbox?.renew(in: directory)
        let base = log.written
        let (generation, journal) = try tryNextGeneration(&state) { generation in
            let count = try directory.makeJournal(
                after: base.commit, of: store.model.schema, generation: generation)
            return try OpenCommitFile(generation, of: directory, count: count)
        }
        let lost = state.blobBalance.lost
        state.journal = journal
        state.blobBalance.lost = 0
        try? file.close()
        state.isSnapshotting = true
        snapshots.submit { [self, format, isAhead] in
            snapshot(base, generation, format, isAhead, losing: lost)
        }
    }

    /// Writes a snapshot, without which so many bytes that objects have lost stay.
    private func snapshot(
        _ base: CommittedGraph, _ generation: Int64, _ format: SnapshotFormat, _ isAhead: Bool,
        losing lost: Int
    ) {
        let blobs = BlobWriter(directory.blobs, adopts: true)
        let count = try? directory.writeSnapshot(
            of: base.graph, generation: generation, format: format, blobs: blobs)
        let manifest = DocumentManifest(
            snapshot: SnapshotName(generation: generation, format: format))
        state.withLock { state in
            state.isSnapshotting = false
            // Others may have been begun as a whole meanwhile, and then nobody needs this one, nor what it names.
            if generation < state.firstKept {
                state.isUntidy = true
                return
            }
            state.blobs[generation, default: []].formUnion(blobs.references)
            guard generation > state.generation else { return }
            guard let count, directory.hasLock,
                (try? directory.writeManifest(manifest)) != nil
            else {
                state.patience = min(state.patience * 2, 1 << 20)
                state.blobBalance += BlobBalance(lost: lost)
                return
            }
            state.snapshotCount = count
            state.patience = 1
            settle(generation, &state, isAhead: isAhead)
        }
        queue.submit { [self] in tidy() }
    }

    /// Begins a generation whose snapshot is of everything so far.
    ///
    /// - Parameters:
    ///   - format: What snapshots are written as from now on; `nil` leaves that as it is.
    ///   - progress: Is told how many objects there are, and how many were written.
    /// - Throws: `DocumentError` or `FileSystemError`.
    func compact(as format: SnapshotFormat? = nil, progress: Progress? = nil) throws {
        try write(.disk)
        let format = format ?? self.format
        defer { tidy() }
        try state.withLock { state in try begin(&state, as: format, progress: progress) }
        snapshotFormat.withLock { $0 = format }
    }

    /// Waits until no snapshot is being written any more.
    nonisolated(nonsending) func finishSnapshot() async throws(DocumentError) {
        try await snapshots.run {}
    }
}
