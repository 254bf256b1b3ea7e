import Synchronization

extension LogExchange {
    /// When the document last looked whether the log needs a base.
    struct Offer {
        /// The generation of its files, and the number of its last commit that the log had.
        private var generation: Int64
        private var number: Int
        /// The number by the snapshot before, or zero where that is not known.
        private var snapshot: Int
        /// How often the log could not keep the base of this generation.
        private var failureCount = 0
        /// The number of the commit from which on it tries again, and the one after which it then looks for a base, as before.
        private var retry: (number: Int, former: Int)?

        init(generation: Int64, number: Int, snapshot: Int = 0) {
            (self.generation, self.number, self.snapshot) = (generation, number, snapshot)
        }

        /// Notes that the document looks; returns the number of a commit after which a base makes another one needless,
        /// nil where the log gets none now.
        mutating func look(_ generation: Int64, _ number: Int) -> Int? {
            defer { self.number = number }
            if generation > self.generation {
                // Who looked since the last commit did so before there was a snapshot of it.
                let isNews = number > self.number
                let former = isNews ? self.number : min(snapshot, number - 1)
                (self.generation, snapshot, failureCount) = (generation, number, 0)
                retry = nil
                return number > 0 ? former : nil
            }
            guard let retry, retry.number <= number else { return nil }
            self.retry = nil
            return retry.former
        }

        /// Notes that the log could not keep a base, so that it gets one later.
        ///
        /// A base takes as long as all objects, so where none can ever be kept, attempts become rare.
        mutating func fail(_ generation: Int64, _ number: Int, after former: Int) {
            guard generation == self.generation else { return }
            retry = (number + 16 << min(failureCount, 32), former)
            failureCount += 1
        }
    }

    // MARK: - Beginning on a base

    /// Brings the newest base into the store, for the log has forgotten the commits after a number.
    func receiveBase(after number: Int) async throws {
        guard let base = try await log.base(after: number) else {
            throw DocumentError.incomplete(file: Self.name(number + 1))
        }
        var content: BaseContent
        do {
            content = try await BaseContent(base)
            content.values = try await bring(content.values, searching: .all)
        } catch {
            // Somebody may have kept a later one meanwhile, in place of this one and its values.
            guard try await log.base(after: base.number) != nil else { throw error }
            return try await receiveBase(after: number)
        }
        try await run { [content] in try $0.begin(on: content) }
    }

    /// Makes what a base holds the state that the log has, and those commits again that it does not have; blocks.
    private func begin(on base: BaseContent) throws {
        try checkOpenings(base.logged.openings, ofBase: base.logged)
        let content = outbox.content
        let told = content.commits.map { base.logged.contains($0.id) }
        let lastSent = told.lastIndex(of: true) ?? -1
        var known: Set<SharedCommit.ID> = []
        var unsure: Set<SharedCommit.ID> = []
        for (index, commit) in content.commits.enumerated() where told[index] != false {
            // Whoever sent a later one has done with those before it.
            if index <= lastSent { known.insert(commit.id) } else { unsure.insert(commit.id) }
        }
        // From what the last of them left, for it has the rows that their objects have here.
        var before = UnsharedReplay(on: content.confirmed.graph, writer)
        let end = (told.lastIndex { $0 != false } ?? -1) + 1
        var beforeMissing: Graph?
        for (commit, isThere) in zip(content.commits.prefix(end), told) {
            if isThere != true, beforeMissing == nil { beforeMissing = before.graph }
            _ = try before.changes(of: commit)
        }
        var replay = JournalReplay(before.graph, of: writer)
        replay.takeTransients()
        defer { replay.giveUpRows() }
        let commit = try base.replace(in: &replay, of: model, writer.directory.path)
        let changes = replay.takeChanges()
        let made = CommittedChanges(
            committed: CommittedGraph(graph: changes.after, commit: commit), changes: changes)
        var writes = changes.writes
        if let beforeMissing {
            // What those that the base lacks, or may lack, wrote is as it was before them, and counts as written by nobody;
            // also where somebody wrote that very value again, which the graphs do not tell.
            let all = ChangeSet(from: beforeMissing, to: changes.after, among: [changes.tables])
            for (table, changes) in zip(writes.tableNumbers, all.writes) {
                writes[table].keepUpdates(alsoIn: changes)
            }
        }
        let rebase = rebase(
            onto: made.committed, after: [writes], except: known, unsure: unsure)
        try publish([made], by: &replay, rebase)
        // After a crash the files may have more of the log, and go on from there.
        guard commit.number > writer.log.latest else { return }
        writer.restart(after: made)
        // The files begin anew, too, which is no reason for another base.
        let next = writer.state.withLock(\.highest) + 1
        offer.withLock {
            $0 = Offer(generation: next, number: base.number, snapshot: base.number - 1)
        }
    }

    // MARK: - Keeping a base

    /// Keeps a base in the log when the document has written a snapshot, unless somebody else did meanwhile.
    ///
    /// Snapshots are written when a journal has outgrown the one before, so what a base costs is spread over the commits
    /// that it stands for.
    func offerBase() async throws {
        // A log that has lost commits may have others of their numbers.
        guard isVerified else { return }
        let (generation, confirmed) = try await run { exchange in
            (
                exchange.writer.state.withLock(\.generation),
                exchange.outbox.confirmed
            )
        }
        let former = offer.withLock { $0.look(generation, confirmed.number) }
        guard let former else { return }
        do {
            try await keepBase(confirmed, ifNoneAfter: former)
        } catch {
            offer.withLock { $0.fail(generation, confirmed.number, after: former) }
            throw error
        }
    }

    private func keepBase(_ confirmed: CommittedGraph, ifNoneAfter former: Int) async throws {
        guard try await log.base(after: former) == nil else { return }
        let logged = try await loggedCommits(upTo: confirmed.number)
        let content = try await bases.run { try BaseContent(confirmed, logged) }
        try await log.keep(
            content.base, forgettingAfter: writer.options.sharedCommitAge)
    }

    /// Which commits the log has up to one.
    private func loggedCommits(upTo number: Int) async throws -> LoggedCommits {
        var (logged, last) = (LoggedCommits(), 0)
        if let base = try await log.base(after: 0), base.number <= number {
            (logged, last) = (try await BaseContent.loggedCommits(of: base), base.number)
        }
        while last < number {
            let commits = try await log.commits(after: last)
            guard commits.first?.number == last + 1 else {
                throw DocumentError.incomplete(file: Self.name(last + 1))
            }
            for commit in commits.prefix(number - last) { logged.note(commit.id) }
            last += commits.count
        }
        return logged
    }
}
