import Foundation
import PlacesBase
import Synchronization

/// Moves the commits of a document to a shared log, and those of others from there to the document's store.
///
/// Each of its steps that changes something runs on the document's queue, one after the other; while it asks the log,
/// commits may come to the store.
final class LogExchange: Sendable {
    let log: any SharedLog
    let writer: DocumentWriter
    let outbox: Outbox
    let model: CommitOrigin.Model
    let offer: Mutex<Offer>
    /// Where bases are written, which may take seconds.
    let bases = DocumentQueue()
    /// The token of the listener that adds commits of the store to the outbox.
    private let listener: Mutex<Int?> = Mutex(nil)
    private let isEnded = Atomic(false)
    private let verified = Atomic(false)
    /// The number of the last commit that the log was said to have.
    private let told = Atomic(0)
    /// Whether it was said to have one since the last exchange, without a number.
    private let isToldMore = Atomic(false)

    init(_ log: any SharedLog, _ writer: DocumentWriter, _ outbox: Outbox) {
        (self.log, self.writer, self.outbox) = (log, writer, outbox)
        model = CommitOrigin.Model(writer.store.schema)
        offer = Mutex(
            Offer(
                generation: writer.state.withLock(\.generation),
                number: outbox.confirmed.number))
    }

    /// Adds what is committed to the store from now on to the outbox, and tells of it; returns the token of the listener.
    func listen(_ tell: @escaping @Sendable () -> Void) -> Int {
        let token = writer.store.addListener(
            CommitListener { [outbox, log = writer.log] commit in
                outbox.append(commit)
                log.announce()
                tell()
            })
        listener.withLock { $0 = token }
        return token
    }

    /// Whether the log had the last commit that it is known to have, when it was reached and never failed since.
    var isVerified: Bool { verified.load(ordering: .acquiring) }

    /// Exchanges nothing any more; called on the document's queue.
    func end() { isEnded.store(true, ordering: .releasing) }

    /// Notes that the log is said to have a commit, or one of which the number is not known; returns whether it is news.
    func note(_ number: Int?) -> Bool {
        guard let number else {
            isToldMore.store(true, ordering: .sequentiallyConsistent)
            return true
        }
        told.max(number, ordering: .relaxed)
        return number > outbox.confirmedNumber
    }

    /// Whether the log was said to have a commit, by its number, that is not here.
    private var hasNews: Bool { told.load(ordering: .relaxed) > outbox.confirmedNumber }

    /// Brings all commits of the store to the log, and all of the log's to the store.
    ///
    /// - Parameter isAsked: Whether the log is asked for commits even if it was not said to have any.
    /// - Throws: An error of the log, or `DocumentError`.
    func exchange(isAsked: Bool) async throws {
        // Whoever has something to add, or has to verify, gets all of it anyway; what fails is verified next time.
        let isToldMore = isToldMore.exchange(false, ordering: .sequentiallyConsistent)
        let isAll = isAsked || isToldMore
        do {
            if !isVerified {
                try await receiveVerifying()
            } else if try await nextBatch().isEmpty, isAll || hasNews {
                // Who has something to add finds out by that whether others were first.
                _ = try await receive(nextCommits(), isAll: isAll)
            }
            while case let batch = try await nextBatch(), let first = batch.first {
                if try await log.append(batch, after: first.number - 1) {
                    _ = try await run { try $0.confirm(batch) }
                } else if try await receive(nextCommits(), isAll: true) == 0 {
                    throw differentLog(at: first.number - 1)
                }
            }
        } catch {
            verified.store(false, ordering: .releasing)
            throw error
        }
    }

    /// Brings commits of the log into the store, if the last one that it is known to have is the same: it may have been
    /// restored from a backup, and gone on.
    private func receiveVerifying() async throws {
        outbox.values.endSearch()
        let known = outbox.confirmed.commit
        var commits = try await log.commits(after: max(known.number - 1, 0))
        if let found = commits.first, found.number == known.number {
            guard try found.isMade(as: known) else { throw differentLog(at: known.number) }
            commits.removeFirst()
        }
        if commits.isEmpty { commits = try await nextCommits() }
        _ = try await receive(commits, isAll: true)
        verified.store(true, ordering: .releasing)
        outbox.values.endSearch()
    }

    private func differentLog(at number: Int) -> DocumentError {
        .differentLog(path: writer.directory.path.description, commit: number)
    }

    /// The commits that the log may get next: they survive whatever happens to this process, and so does what they begin
    /// on, or they would be made again in another way than the log may have them.
    private func nextBatch() async throws -> [SharedCommit] {
        try await run { exchange in
            let (outbox, writer) = (exchange.outbox, exchange.writer)
            if try !outbox.write(.disk, in: writer.directory, on: writer.log.durable) {
                try writer.write(.disk)
            }
            return outbox.batch()
        }
    }

    /// Runs work on the document's queue, unless the document is closed.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable (LogExchange) throws -> Value
    ) async throws -> Value {
        try await writer.queue.run { [self] in
            try check()
            return try body(self)
        }
    }

    /// Throws if the document is closed; called on its queue.
    func check() throws {
        guard isEnded.load(ordering: .acquiring) else { return }
        throw DocumentError.closed(path: writer.directory.path.description)
    }

    /// The commits of the log after those that it is known to have, or some of them.
    private func nextCommits() async throws -> [SharedCommit] {
        try await log.commits(after: outbox.confirmedNumber)
    }

    /// Many commits, if the log has so many; for who makes those before them again meanwhile, so that neither waits for the
    /// other each time, and so that parts of indexes, which snapshots share, are copied seldom.
    private func severalPages(after number: Int) async throws -> [SharedCommit] {
        var (commits, size): ([SharedCommit], Int) = ([], 0)
        while commits.count < 16_000, size < 1 << 23 {
            let end = commits.last?.number ?? number
            let next: [SharedCommit]
            do {
                next = try await log.commits(after: end)
            } catch  where !commits.isEmpty {
                // What came is of use, and whoever asks for the next ones finds out, too.
                break
            }
            // What the log has forgotten meanwhile is found out by who asks for the next ones.
            if !commits.isEmpty, next.first?.number != end + 1 { break }
            commits += next
            size += next.reduce(0) { $0 + $1.line.count }
            guard next.count >= Self.crowd else { break }
        }
        return commits
    }

    /// Brings commits of the log into the store.
    ///
    /// - Parameters:
    ///   - first: The first ones.
    ///   - isAll: Whether to go on until the log has no more, and not only as long as it is said to have some.
    /// - Returns: How many there were.
    /// - Throws: An error of the log, or `DocumentError`.
    private func receive(_ first: [SharedCommit], isAll: Bool) async throws -> Int {
        var (count, commits) = (0, first)
        while let first = commits.first, let last = commits.last {
            count += commits.count
            let number = outbox.confirmedNumber
            guard first.number == number + 1 else {
                try await receiveBase(after: number)
                commits = try await nextCommits()
                continue
            }
            // Who catches up asks for the next ones meanwhile.
            let isCrowd = commits.count >= Self.crowd
            async let following = isCrowd ? severalPages(after: last.number) : nil
            for slice in Self.slices(of: commits) {
                let complete = try await bringValues(of: slice)
                try await run { try $0.accept(complete) }
            }
            commits =
                if let following = try await following {
                    following
                } else {
                    isAll || hasNews ? try await nextCommits() : []
                }
        }
        return count
    }

    /// Notes that the log has commits; returns how many of them are the first ones of the outbox, as they are there.
    private func confirm(_ commits: some Sequence<SharedCommit>) throws -> Int {
        let confirmed = outbox.beginning(commits)
        var (replay, rest) = (UnsharedReplay(on: outbox.confirmed.graph, writer), confirmed[...])
        while let first = rest.first {
            // Those that are made again need not be told apart: their lines are there.
            let lines = rest.prefix { $0.changes == nil && $0.line?.values.isEmpty == true }
                .compactMap(\.line)
            let count = max(lines.count, 1)
            let changes = try lines.isEmpty ? replay.changes(of: first) : replay.changes(of: lines)
            var commit = rest[rest.startIndex + count - 1].commit
            commit.number = outbox.confirmed.number + count
            let made = CommittedChanges(
                committed: CommittedGraph(graph: changes.after, commit: commit), changes: changes)
            writer.log.append(JournalEntry(made, lines: lines.map(\.line)))
            outbox.confirm(count, leaving: made.committed, isShown: first.changes != nil)
            rest = rest.dropFirst(count)
        }
        return confirmed.count
    }

    /// Brings the next commits of the log into the store; blocks.
    private func accept(_ commits: [SharedCommit]) throws {
        for (commit, number) in zip(commits, (outbox.confirmed.number + 1)...) {
            guard commit.number == number else {
                throw DocumentError.incomplete(file: Self.name(number))
            }
            try commit.origin.model.check(
                against: model, in: Self.name(commit.number), writer.directory.path)
        }
        let waiting = outbox.waiting
        var rest = commits[...]
        var others: [SharedCommit] = []
        while let commit = rest.first {
            if waiting.contains(commit.id) {
                try merge(others)
                others = []
                // An answer may have been lost: the log has them as they were handed over.
                var count = try confirm(rest)
                if count == 0 {
                    // Or they were made again here since.
                    let own = rest.prefix { waiting.contains($0.id) }
                    try merge(Array(own), areOwn: true)
                    count = own.count
                }
                rest = rest.dropFirst(count)
                continue
            }
            others.append(commit)
            rest = rest.dropFirst()
        }
        try merge(others)
    }

    /// Makes commits of the log, and then again those of this process that the log does not have.
    ///
    /// - Parameters:
    ///   - commits: The commits.
    ///   - areOwn: Whether they were made by this process, so that none that came after them conflicts with them.
    /// - Throws: `DocumentError` where one can't be made, or `FileSystemError`.
    private func merge(_ commits: [SharedCommit], areOwn: Bool = false) throws {
        let isWaiting = outbox.waitingCount > 0
        let known = Set(commits.map(\.id))
        var replay = JournalReplay(outbox.confirmed.graph, of: writer)
        replay.takeTransients()
        replay.clearEndedRows()
        defer { replay.giveUpRows() }
        var entries: [JournalEntry] = []
        for run in Self.runs(of: commits, atOnce: isWaiting || commits.count >= Self.crowd) {
            var commit = outbox.confirmed.commit
            for next in run { commit = try replay.apply(next) }
            let changes = replay.takeChanges()
            let made = CommittedChanges(
                committed: CommittedGraph(graph: changes.after, commit: commit), changes: changes)
            entries.append(JournalEntry(made, lines: run.count == 1 ? [] : run.map(\.line)))
            // Each shows by itself, unless what waits here has to be made again each time.
            guard !isWaiting || run.endIndex == commits.endIndex else { continue }
            try publish(entries.compactMap(\.made), areOwn: areOwn, by: &replay, known)
            entries.forEach(writer.log.append)
            entries = []
        }
    }

    /// How many commits come together where somebody catches up, to whom it does not matter which change came by which.
    private static let crowd = 64

    /// The commits that become one change of the store each.
    private static func runs(
        of commits: [SharedCommit], atOnce: Bool
    ) -> [ArraySlice<SharedCommit>] {
        var (runs, start) = ([ArraySlice<SharedCommit>](), 0)
        for end in commits.indices.dropFirst() {
            // In the journal, files of the document stand for values.
            let isBesideOther = commits[end - 1...end].contains {
                $0.isLong || !$0.values.isEmpty
            }
            guard !atOnce || isBesideOther else { continue }
            runs.append(commits[start..<end])
            start = end
        }
        return commits.isEmpty ? [] : runs + [commits[start...]]
    }

    /// Shows what the log has in the store, with the commits that it does not have on top.
    ///
    /// The replay made it; those of `known` the log has, though not as they are here.
    func publish(
        _ made: [CommittedChanges], areOwn: Bool = false, by replay: inout JournalReplay,
        _ known: Set<SharedCommit.ID>
    ) throws {
        guard let last = made.last?.committed else { return }
        let token = listener.withLock(\.self)
        while true {
            // In this order: a commit that comes in between is not lost, but lets the attempt fail.
            let head = writer.store.head
            let content = outbox.content
            let rebase = try Rebase(
                content.commits, except: known, refused: outbox.refused.ids(in: content.commits),
                UnsharedReplay(on: content.confirmed.graph, writer),
                onto: last.graph, after: areOwn ? [] : made.map(\.changes.writes),
                by: writer.options, in: writer.store
            ) { [outbox] commit, position in
                outbox.line(of: commit, last.number + 1 + position, synced: last.number)
            }
            let isShown = content.commits.isEmpty && content.isConfirmedShown && made.count == 1
            let changes =
                isShown ? made[0].changes : ChangeSet(from: head.graph, to: rebase.graph)
            let revived = replay.rows.revived(by: changes, isAll: isShown)
            let isDone = writer.store.merge(
                changes, reviving: revived, onto: head, date: last.commit.date,
                author: last.commit.author, except: token
            ) {
                outbox.replace(last, rebase)
            }
            if isDone { return replay.share(changes.after) }
        }
    }

    /// What errors call a commit.
    static func name(_ number: Int) -> String { "commit \(number) of the shared log" }
}
