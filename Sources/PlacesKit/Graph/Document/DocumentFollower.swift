import Foundation
import PlacesBase
import Synchronization

/// Brings what another process commits into the store of a document that is only read.
///
/// Commits are read from the journal, from where reading ended, and become commits of the store with the number,
/// date and author that they have. Where journals do not lead on, since the writer has removed them or has another
/// model, the whole document is read, and what differs is one commit.
///
/// - Invariant: The store's latest commit is the one before the position.
final class DocumentFollower: Sendable {
    struct State {
        var position: JournalPosition?
        /// Whether a newer model made what the store has, of which what is not known was left out.
        var isOfNewerModel: Bool
        /// The defaults that objects have because a migration made them.
        var madeDefaults: MadeDefaults
        /// Whether the store shows commits that wait for the log of a shared document, or did: its numbers are its own
        /// until the log has as many.
        var isAhead: Bool
        /// The last of the commits that wait and are shown, with its number in their file, and the one of the log that they
        /// come after.
        var waiting: (last: Commit, confirmed: Commit)?
        /// The files as they were when it was last looked what waits for the log.
        var looked: LookedFiles?

        /// The state after all that was read.
        init(_ content: DocumentContent) {
            position = content.position
            isOfNewerModel = content.isOfNewerModel
            madeDefaults = content.madeDefaults
            isAhead = content.waitingCount > 0
            waiting = content.confirmed.map { (content.commit, $0) }
            looked = content.looked
        }
    }

    /// What is watched; apart from the state, which is locked while files are read.
    private struct Watch {
        var watch: FileWatch?
        /// The generation of the journal that is watched.
        var journal: Int64?
        /// Whether what is committed is to be brought into the store by itself.
        var isOn = false
    }

    let writer: DocumentWriter
    let model: MigrationModel
    private let state: Mutex<State>
    private let watching = Mutex(Watch())

    /// Goes on after what was read.
    init(_ writer: DocumentWriter, _ model: MigrationModel, after content: DocumentContent) {
        (self.writer, self.model) = (writer, model)
        state = Mutex(State(content))
    }

    /// Whether the files may have more than the model knows.
    var isOfNewerModel: Bool { state.withLock(\.isOfNewerModel) }

    var store: GraphStore { writer.store }
    var directory: DocumentDirectory { writer.directory }

    // MARK: - Watching

    /// Brings what is committed into the store by itself, from now on.
    func watch() {
        watching.withLock { $0.isOn = true }
        writer.queue.submit { [weak self] in self?.catchUpWatching() }
    }

    /// Does nothing by itself any more.
    func stop() {
        watching.withLock { ($0.isOn, $0.watch) = (false, nil) }
    }

    private func catchUpWatching(isCaughtUp: Bool = false) {
        guard watching.withLock(\.isOn) else { return }
        do {
            var isDue = try renewWatch() || !isCaughtUp
            while isDue {
                try catchUp()
                // The journal that is written may be another one by now.
                isDue = try renewWatch()
            }
            writer.status.endReadingError()
        } catch {
            writer.status.set(.readingError(DocumentError(error)))
        }
    }

    /// Watches the journal that is read by now; whether another one was watched.
    private func renewWatch() throws -> Bool {
        let journal = state.withLock(\.position?.generation)
        return try watching.withLock { watching in
            guard watching.isOn, watching.watch == nil || watching.journal != journal else {
                return false
            }
            watching.watch = try directory.files.watch(
                directory.path, file: journal.map(directory.journal)
            ) { [weak self, queue = writer.queue] in
                queue.submit { [weak self] in self?.catchUpWatching() }
            }
            watching.journal = journal
            return watching.watch != nil
        }
    }

    // MARK: - Reading on

    /// Brings all that is in the files into the store for somebody who asked for it; blocks.
    ///
    /// If following had failed, it goes on.
    ///
    /// - Throws: `DocumentError`, or `FileSystemError`; the store has the commits before the failure.
    func refresh() throws {
        try catchUp()
        catchUpWatching(isCaughtUp: true)
    }

    private func catchUp() throws {
        try state.withLock { state in
            // A folder with a whole history has thousands of names.
            try directory.steadily { names in try catchUp(&state, names) }
        }
    }

    private func catchUp(_ state: inout State, _ names: [String]) throws {
        let journals = JournalName.generations(names)
        // Before they are read: what is written meanwhile is looked at the next time.
        let looked = try look(names, journals, isAhead: state.isAhead)
        if !state.isAhead { try catchUpWithJournals(&state, journals) }
        if let looked { try catchUpWithWaiting(&state, looked) }
    }

    private func catchUpWithJournals(_ state: inout State, _ listed: [Int64]) throws {
        var (number, isThere, isBehind) = (0, false, false)
        var listed: [Int64]? = listed
        repeat {
            number = store.head.number
            isThere = try readOn(&state)
            isBehind = false
            let known = isThere ? state.position?.generation ?? 0 : 0
            let journals = try listed.take() ?? directory.generations().journals
            for generation in journals where generation > known {
                let position = try directory.beginning(of: generation)
                let commit = position.header.commit
                guard commit.isSame(as: store.head.commit) else {
                    // One of the same number is of another history, as after a backup came back. And where the newest
                    // begins earlier, nothing more comes in the one that is read.
                    if commit.number >= store.head.number || generation == journals.last {
                        isBehind = true
                    }
                    continue
                }
                state.position = position
                isThere = try readOn(&state)
            }
            // What was read meanwhile may lead to a journal that seemed to come too late.
        } while isBehind && store.head.number != number
        if isBehind || !isThere { try readAll(&state) }
    }

    /// Reads what was added to the journal; whether there is one, of this model, and none in its place.
    private func readOn(_ state: inout State) throws -> Bool {
        do {
            return try readLines(&state)
        } catch let error as DocumentError {
            guard case .differentModel = error else { throw error }
            return false
        }
    }

    private func readLines(_ state: inout State) throws -> Bool {
        guard let position = state.position else { return false }
        guard let bytes = try position.bytes(in: directory) else { return false }
        let rest = bytes.dropFirst(position.ending.count)
        guard rest.contains(UInt8(ascii: "\n")) else { return true }
        let file = JournalFile(bytes, after: position)
        try follow(in: &state) { replay, state, publish in
            var byteCount = position.byteCount
            defer { state.position?.ending = file.ending(at: byteCount) }
            try directory.naming(directory.journal(position.generation)) {
                try replay.use(position.header)
                _ = try file.forEachRecord(after: store.head.commit) { line, number in
                    let commit = try replay.apply(line, after: number)
                    publish(&replay, commit)
                    byteCount += line.count + 1
                    state.position?.byteCount = byteCount
                    state.position?.lineCount += 1
                    return commit
                }
            }
        }
        return true
    }

    /// Brings the document as it is now into the store.
    private func readAll(_ state: inout State) throws {
        let content = try directory.readMigrating(model, keeping: state.madeDefaults)
        let head = store.head.commit
        guard content.commit.number > head.number else {
            // Clocks may give commits of two histories the same date, but their lines differ.
            let isOther =
                if let known = state.position, let found = content.position {
                    known.hasOtherLines(than: found)
                } else {
                    false
                }
            guard content.commit.isSame(as: head), !isOther else {
                throw DocumentError.replaced(path: directory.path.description)
            }
            state.position = content.position
            return
        }
        try show(content, in: &state)
    }

    /// Makes the store hold what was read; commits that wait only where they differ.
    func show(_ content: DocumentContent, in state: inout State) throws {
        // As if all objects had gone, and come again as they are now: those that are the same keep their rows, and
        // what is left of that is what differs.
        let empty = Graph(layout: content.graph.layout)
        let changes = CommittedChanges(
            committed: CommittedGraph(graph: content.graph, commit: content.commit),
            changes: ChangeSet(from: empty, to: content.graph))
        let blobs = KnownBlobs(directory.blobs)
        let line = JournalEncoder.line(
            changes, names: JournalNames(empty.layout), synced: 0, blobs: blobs)
        // What was read was checked then, and of a newer document less than a line has to keep to.
        try follow(in: &state, isLenient: true, showing: content.confirmed) {
            replay, state, publish in
            replay.eraseAll()
            replay.know(blobs.values)
            let commit = try line.dropLast().withUnsafeBytes {
                try replay.apply($0, after: content.commit.number - 1)
            }
            publish(&replay, commit)
            state = State(content)
        }
    }

    /// Makes commits again on what the store has; with a commit of a log only what others show that come after it.
    func follow(
        in state: inout State, isLenient: Bool = false, showing confirmed: Commit? = nil,
        _ body: (
            _ replay: inout JournalReplay, _ state: inout State,
            _ publish: (inout JournalReplay, Commit) -> Void
        ) throws -> Void
    ) throws {
        let blobs = BlobReader(directory.blobs)
        var replay = JournalReplay(
            store.head.graph, checks: isLenient ? [] : model.checks, blobs: blobs,
            rows: store.rows, isLenient: isLenient)
        replay.clearEndedRows()
        defer { replay.giveUpRows() }
        try body(&replay, &state) { replay, commit in
            let changes = replay.takeChanges()
            if let confirmed, changes.isEmpty {
                // The log may have by now what was shown before.
                writer.log.noteWritten(
                    CommittedGraph(graph: store.head.graph, commit: confirmed))
                writer.log.noteDurable(confirmed.number)
                return
            }
            let revived = replay.rows.revived(by: changes, isAll: true)
            var committed = store.follow(changes, reviving: revived, as: commit)
            replay.share(changes.after)
            committed.commit = confirmed ?? commit
            writer.log.noteWritten(committed)
            writer.log.noteDurable(committed.number)
        }
    }
}

extension Commit {
    /// Whether it may be the same commit, and not another one of the same number.
    func isSame(as other: Commit) -> Bool {
        // A clock may give no number.
        number == other.number && author == other.author && date.isSame(as: other.date)
    }
}
