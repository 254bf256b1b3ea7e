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
    let listener: Mutex<Int?> = Mutex(nil)
    /// How many commits go to the log before the others that wait are made again, where others are often first.
    let portion = Mutex(256)
    private let isEnded = Atomic(false)
    /// Whether whoever opens the document next has a range of numbers.
    private let hasNextRange: Atomic<Bool>
    /// The range that the log gave for that, and the folder may not have: there are not so many that it could be lost.
    private let nextRange = Mutex(Int?.none)
    private let verified = Atomic(false)
    /// The number of the last commit that the log was said to have.
    private let told = Atomic(0)
    /// Whether it was said to have one since the last exchange, without a number.
    private let isToldMore = Atomic(false)

    init(_ log: any SharedLog, _ writer: DocumentWriter, _ outbox: Outbox) {
        (self.log, self.writer, self.outbox) = (log, writer, outbox)
        model = CommitOrigin.Model(writer.store.schema)
        hasNextRange = Atomic(!SharingMembership.isLate(outbox.opening))
        offer = Mutex(
            Offer(
                generation: writer.state.withLock(\.generation),
                number: outbox.confirmed.number))
    }

    /// Adds what is committed to the store from now on to the outbox, and tells of it; returns the token of the listener.
    func listen(_ tell: @escaping @Sendable () -> Void) -> Int {
        let token = writer.store.addListener(
            CommitListener { [outbox, log = writer.log] commit in
                defer {
                    log.announce()
                    tell()
                }
                return outbox.append(commit)
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

    /// Brings all commits that the store has by now to the log, and all of the log's to the store.
    ///
    /// - Parameter isAsked: Whether the log is asked for commits even if it was not said to have any.
    /// - Throws: An error of the log, or `DocumentError`.
    func exchange(isAsked: Bool) async throws {
        // Who goes on saving would keep it from ending; whoever hears of a later commit comes again.
        let latest = outbox.latest
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
            var (isLate, isRefused) = (false, false)
            while case let batch = try await nextBatch(), let first = batch.first,
                outbox.isWaiting(upTo: latest)
            {
                if try await log.append(batch, after: first.number - 1) {
                    _ = try await run { try $0.confirm(batch) }
                    continue
                }
                let commits = try await nextCommits()
                if try await receive(commits, isAll: true, isLate: isLate) > 0 {
                    (isLate, isRefused) = (true, false)
                    continue
                }
                // Another server may have taken over in between, which lacks what was first, and perhaps more.
                guard !isRefused else { throw differentLog(at: first.number - 1) }
                isRefused = true
                verified.store(false, ordering: .releasing)
                try await receiveVerifying()
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
        // After a crash the files may have more of the log than that on which was made what waits.
        let (written, confirmed) = (writer.log.written.commit, outbox.confirmed.commit)
        let isAhead = written.number > confirmed.number
        let known = isAhead ? written : confirmed
        var commits = try await log.commits(after: max(known.number - 1, 0))
        if let found = commits.first, found.number == known.number {
            guard try found.isMade(as: known) else { throw differentLog(at: known.number) }
            commits.removeFirst()
        } else if commits.isEmpty, known.number > 0 {
            // A log never forgets its last commit, so it has lost this one, and may get another of its number.
            throw differentLog(at: known.number)
        }
        if commits.isEmpty || isAhead { commits = try await nextCommits() }
        _ = try await receive(commits, isAll: true)
        verified.store(true, ordering: .releasing)
        outbox.values.endSearch()
    }

    /// Claims a range of numbers for later openings when few are left of the one that the folder has.
    func claimNextRange() async throws {
        guard isVerified, !hasNextRange.exchange(true, ordering: .relaxed) else { return }
        do {
            let range =
                if let claimed = nextRange.withLock(\.self) {
                    claimed
                } else {
                    try await log.claimRange()
                }
            nextRange.withLock { $0 = range }
            try await run { exchange in
                try SharingMembership.goOn(
                    in: range, after: exchange.outbox.opening, exchange.writer.directory)
            }
        } catch {
            hasNextRange.store(false, ordering: .relaxed)
            throw error
        }
    }

    private func differentLog(at number: Int) -> DocumentError {
        .differentLog(path: writer.directory.path.description, commit: number)
    }

    /// The commits that the log may get next: they survive whatever happens to this process, and so does what they begin
    /// on, or they would be made again in another way than the log may have them.
    private func nextBatch() async throws -> [SharedCommit] {
        try await run { exchange in
            try exchange.writeWaiting()
            return exchange.outbox.batch()
        }
    }

    /// Brings the commits that wait to disk, and what they begin on; blocks.
    func writeWaiting() throws {
        if try !outbox.write(.disk, in: writer.directory, on: writer.log.durable) {
            try writer.write(.disk)
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
    func nextCommits() async throws -> [SharedCommit] {
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
    ///   - isLate: Whether others were first while commits were made again, as they are from the second time on.
    /// - Returns: How many there were.
    /// - Throws: An error of the log, or `DocumentError`.
    private func receive(
        _ first: [SharedCommit], isAll: Bool, isLate: Bool = false
    ) async throws -> Int {
        var (count, commits, isLate) = (0, first, isLate)
        pages: while let first = commits.first, let last = commits.last {
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
                let complete: [SharedCommit]
                do {
                    complete = try await bringValues(of: slice)
                } catch {
                    // The log may have forgotten the commits meanwhile, and their values with them.
                    let next = try await nextCommits()
                    guard let found = next.first, found.number > outbox.confirmedNumber + 1 else {
                        throw error
                    }
                    commits = next
                    continue pages
                }
                if isLate, !isCrowd, slice.endIndex == commits.endIndex {
                    try await acceptAnswering(complete)
                } else {
                    try await run { try $0.accept(complete) }
                }
            }
            isLate = true
            commits =
                if let following = try await following {
                    following
                } else {
                    isAll || hasNews ? try await nextCommits() : []
                }
        }
        return count
    }

    /// How many commits come together where somebody catches up, to whom it does not matter which change came by which.
    static let crowd = 64

    /// What errors call a commit.
    static func name(_ number: Int) -> String { "commit \(number) of the shared log" }
}
