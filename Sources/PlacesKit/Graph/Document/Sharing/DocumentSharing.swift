public import Foundation
public import Observation
import PlacesBase
import Synchronization

/// Shares the commits of a document with other processes by a ``SharedLog``.
///
/// ```swift
/// let document = try await ManagedDocument.open(at: url, model: [Place.self], sharing: log)
/// try await document.save(durability: .shared)
/// ```
/// A save shows in this process at once. Its commit waits in the document's folder until the log has it. What others
/// commit becomes a commit of ``ManagedDocument/store``, with its date and author. If others were first, the commits that
/// wait are made again on top of what they committed, with ``ManagedDocument/Options/sharedMergePolicy`` and the rules of
/// the model. What then can't be made is among the ``conflicts``.
///
/// All of that happens by itself, on threads of its own. See <doc:Sharing>.
public final class DocumentSharing: Sendable, Observable {
    /// How far a document is with its log.
    public enum State: Sendable, Hashable {
        /// The log has all commits of this process, and this process all that it was told of.
        case upToDate
        /// So many commits of this process wait for the log.
        case behind(Int)
        /// The log could not be reached, or the folder not written, for the first time at a date; the document tries again
        /// by itself.
        case offline(since: Date, reason: String)
        /// What the log has can't be read; nothing is shared until the document is opened again.
        case stopped(reason: String)
    }

    private let log: any SharedLog
    private let writer: DocumentWriter
    private let outbox: Outbox
    private let checks: [[Int: ValueCheck]]
    private let model: CommitOrigin.Model
    /// The token of the listener that adds commits of the store to the outbox.
    private let listener: Mutex<Int?> = Mutex(nil)
    private let turns = TransactionQueue()
    private let shown = Mutex(State.upToDate)
    private let registrar = ObservationRegistrar()
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let tasks = Mutex<[Task<Void, Never>]>([])
    private let isEnded = Atomic(false)

    init(_ log: any SharedLog, _ writer: DocumentWriter, _ outbox: Outbox) {
        (self.log, self.writer, self.outbox) = (log, writer, outbox)
        checks = writer.store.model.checks
        model = CommitOrigin.Model(writer.store.schema)
        (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        showProgress()
    }

    deinit { stop() }

    // MARK: - For the document

    /// Adds what is committed to the store from now on; returns the token of the listener.
    func listen() -> Int {
        let token = writer.store.addListener(
            CommitListener { [outbox, log = writer.log, signal] commit in
                outbox.append(commit)
                log.announce()
                signal.yield()
            })
        listener.withLock { $0 = token }
        return token
    }

    /// Exchanges commits by itself, from now on.
    func start(_ clock: any Clock<Duration>) {
        let arrivals = log.arrivals()
        tasks.withLock { tasks in
            tasks.append(
                Task.detached { [signal] in for await _ in arrivals { signal.yield() } })
            tasks.append(
                Task.detached { [weak self, signals] in
                    for await _ in signals {
                        guard await Self.catchUp({ self }, clock) else { return }
                    }
                })
        }
        signal.yield()
    }

    /// Exchanges commits until that succeeds; returns false where it never will.
    private static func catchUp(
        _ sharing: () -> DocumentSharing?, _ clock: any Clock<Duration>
    ) async -> Bool {
        var pause = Duration.milliseconds(50)
        while !Task.isCancelled {
            guard let state = await sharing()?.attempt() else { return false }
            switch state {
            case .upToDate, .behind: return true
            case .stopped: return false
            case .offline:
                guard (try? await clock.sleep(for: pause)) != nil else { return false }
                pause = min(pause * 2, .seconds(10))
            }
        }
        return false
    }

    private func attempt() async -> State {
        try? await synchronize()
        return shown.withLock(\.self)
    }

    /// Exchanges nothing any more; called on the document's queue.
    func end() {
        isEnded.store(true, ordering: .releasing)
        stop()
    }

    /// Exchanges nothing by itself any more.
    func stop() {
        signal.finish()
        tasks.withLock { tasks in
            tasks.forEach { $0.cancel() }
            tasks = []
        }
    }

    /// Waits until the log has all commits that the store has.
    ///
    /// - Throws: `DocumentError.refused` where it will not have one of them.
    func share() async throws {
        guard let latest = outbox.latest else { return try await synchronize() }
        let known = Set(outbox.conflicts.map(\.id))
        try await turns.withTurn {
            if outbox.isWaiting(upTo: latest) { try await exchangeShowing() }
        }
        let refused = outbox.conflicts.first {
            !known.contains($0.id) && $0.id.opening == latest.opening
                && $0.id.sequence <= latest.sequence
        }
        if let refused {
            throw DocumentError.refused(
                path: writer.directory.path.description, reason: refused.reason)
        }
    }

    // MARK: - For everybody

    /// How far the document is; observable, and readable on any thread.
    public var state: State {
        registrar.access(self, keyPath: \.state)
        return shown.withLock(\.self)
    }

    /// The commits of this process that could not be made again on top of those of others; observable.
    public var conflicts: [SharedConflict] {
        registrar.access(self, keyPath: \.conflicts)
        return outbox.conflicts
    }

    /// Forgets a conflict.
    public func dismiss(_ conflict: SharedConflict) {
        registrar.withMutation(of: self, keyPath: \.conflicts) { outbox.dismiss(conflict.id) }
        writer.log.announce()
    }

    /// Brings all commits of the store to the log, and all of the log's to the store.
    ///
    /// The document does so by itself; call it to know that it is done, or that the log can't be reached.
    ///
    /// - Throws: An error of the log, or `DocumentError`.
    public func synchronize() async throws {
        try await turns.withTurn { try await exchangeShowing() }
    }

    // MARK: - Exchanging

    private func exchangeShowing() async throws {
        let known = outbox.conflicts.count
        defer {
            if outbox.conflicts.count != known {
                registrar.withMutation(of: self, keyPath: \.conflicts) {}
            }
        }
        do {
            try await exchange()
            showProgress()
        } catch let error as DocumentError where error.endsSharing {
            show(.stopped(reason: error.description))
            throw error
        } catch let error as CancellationError {
            throw error
        } catch {
            if case .offline = shown.withLock(\.self) { throw error }
            let reason = (error as? any DescribedError)?.description ?? "\(error)"
            show(.offline(since: writer.store.now(), reason: reason))
            throw error
        }
    }

    private func exchange() async throws {
        // Who has something to add finds out by that whether others were first.
        if try await nextBatch().isEmpty { _ = try await receive() }
        while case let batch = try await nextBatch(), let first = batch.first {
            if try await log.append(batch, after: first.number - 1) {
                try await run { sharing in
                    for commit in batch { _ = sharing.confirm(commit.id) }
                }
            } else if try await receive() == 0 {
                throw DocumentError.replaced(path: writer.directory.path.description)
            }
        }
    }

    /// The commits that the log may get next: they survive whatever happens to this process.
    private func nextBatch() async throws -> [SharedCommit] {
        try await run { sharing in
            let (outbox, writer) = (sharing.outbox, sharing.writer)
            try outbox.write(.disk, in: writer.directory)
            // Else whoever opens the document goes back behind the file, and makes its commits again in another way
            // than the log may have them.
            if writer.log.durable < outbox.base { try writer.write(.disk) }
            return outbox.batch()
        }
    }

    /// Runs work on the document's queue, unless the document is closed.
    private func run<Value: Sendable>(
        _ body: @escaping @Sendable (DocumentSharing) throws -> Value
    ) async throws -> Value {
        try await writer.queue.run { [self] in
            guard !isEnded.load(ordering: .acquiring) else {
                throw DocumentError.closed(path: writer.directory.path.description)
            }
            return try body(self)
        }
    }

    /// Brings commits of the log into the store; returns how many there were.
    private func receive() async throws -> Int {
        var count = 0
        while true {
            let commits = try await log.commits(after: outbox.content.confirmed.number)
            guard !commits.isEmpty else { return count }
            count += commits.count
            try await run { try $0.accept(commits) }
        }
    }

    private func confirm(_ id: SharedCommit.ID) -> Bool {
        guard let commit = outbox.confirm(id) else { return false }
        writer.log.append(commit)
        return true
    }

    /// Brings the next commits of the log into the store; blocks.
    private func accept(_ commits: [SharedCommit]) throws {
        var others: [SharedCommit] = []
        for (commit, number) in zip(commits, (outbox.content.confirmed.number + 1)...) {
            guard commit.number == number else {
                throw DocumentError.incomplete(file: "commit \(number) of the shared log")
            }
            guard commit.origin.model == model else { throw otherModel(commit) }
            if outbox.content.commits.contains(where: { $0.id == commit.id }) {
                try merge(others)
                others = []
                // An answer may have been lost: the log has it as it was handed over.
                if outbox.isFirst(commit), confirm(commit.id) { continue }
            }
            others.append(commit)
        }
        try merge(others)
    }

    private func otherModel(_ commit: SharedCommit) -> DocumentError {
        let path = writer.directory.path.description
        let (found, known) = (Int(commit.origin.model.version), Int(model.version))
        guard found <= known else {
            return .newerModel(path: path, found: found, supported: known)
        }
        let difference =
            found < known
            ? "it has version \(found), and this process version \(known)"
            : "it has other entities or properties, though both have version \(known)"
        return .differentModel(
            file: "commit \(commit.number) of the shared log", differences: [difference])
    }

    /// Makes commits of others, and then again those of this process that the log does not have.
    private func merge(_ commits: [SharedCommit]) throws {
        guard !commits.isEmpty else { return }
        let confirmed = outbox.content.confirmed
        var replay = JournalReplay(
            confirmed.graph, checks: checks, blobs: BlobReader(writer.directory.blobs),
            rows: writer.store.rows)
        var rest = commits[...]
        while let first = rest.first {
            // Each shows by itself, unless what waits here has to be made again each time.
            let part = outbox.content.commits.isEmpty ? [first] : Array(rest)
            rest = rest.dropFirst(part.count)
            let made = try part.map { commit in
                try naming(commit) {
                    let line = Array(commit.line.dropLast())
                    let made = try line.withUnsafeBytes {
                        try replay.apply($0, after: commit.number - 1)
                    }
                    let changes = replay.takeChanges().changes
                    return CommittedChanges(
                        committed: CommittedGraph(graph: changes.after, commit: made),
                        changes: changes)
                }
            }
            publish(made, Set(part.map(\.id)))
            for commit in made { writer.log.append(commit) }
        }
    }

    /// Shows what others committed in the store, with the commits that the log does not have on top.
    ///
    /// Those of `known` the log has, though not as they are here.
    private func publish(_ made: [CommittedChanges], _ known: Set<SharedCommit.ID>) {
        guard let last = made.last else { return }
        let token = listener.withLock(\.self)
        while true {
            // In this order: a commit that comes in between is not lost, but lets the attempt fail.
            let head = writer.store.head
            var waiting = outbox.content.commits
            waiting.removeAll { known.contains($0.id) }
            let rebase = Rebase(
                waiting, onto: last.committed.graph, after: made.map(\.changes.writes),
                by: writer.options.sharedMergePolicy, rows: writer.store.rows)
            let changes =
                waiting.isEmpty && made.count == 1
                ? last.changes : ChangeSet(from: head.graph, to: rebase.graph)
            let (date, author) = (last.committed.commit.date, last.committed.commit.author)
            let isDone = writer.store.merge(
                changes, onto: head, date: date, author: author, except: token
            ) {
                outbox.replace(last.committed, rebase)
            }
            if isDone { return }
        }
    }

    /// Tells in which commit something is wrong.
    private func naming<Value>(
        _ commit: SharedCommit, _ body: () throws -> Value
    ) throws -> Value {
        do {
            return try body()
        } catch let error as JSONError {
            throw DocumentError.damaged(
                file: "commit \(commit.number) of the shared log", error)
        }
    }

    // MARK: - State

    private func showProgress() {
        let count = outbox.content.commits.count
        show(count == 0 ? .upToDate : .behind(count))
    }

    private func show(_ state: State) {
        guard shown.withLock({ $0 != state }) else { return }
        registrar.withMutation(of: self, keyPath: \.state) { shown.withLock { $0 = state } }
    }
}

extension DocumentError {
    /// Whether trying again does not help.
    fileprivate var endsSharing: Bool {
        switch self {
        case .damaged, .incomplete, .newerFormat, .differentModel, .newerModel, .replaced, .closed:
            true
        default: false
        }
    }
}
