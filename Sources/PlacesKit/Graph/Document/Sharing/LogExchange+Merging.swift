import Synchronization

extension LogExchange {
    /// Notes that the log has commits; returns how many of them are the first ones of the outbox, as they are there.
    func confirm(_ commits: some Sequence<SharedCommit>) throws -> Int {
        let confirmed = outbox.beginning(commits)
        var (last, isShown, rest) = (outbox.confirmed, false, confirmed[...])
        var replay = UnsharedReplay(on: last.graph, writer)
        // Together, for each time those move up that wait behind.
        defer {
            let count = confirmed.count - rest.count
            if count > 0 { outbox.confirm(count, leaving: last, isShown: isShown) }
        }
        while let first = rest.first {
            // Those that are made again need not be told apart: their lines are there.
            let lines = rest.prefix { $0.changes == nil && $0.line?.values.isEmpty == true }
                .compactMap(\.line)
            let count = max(lines.count, 1)
            let changes = try lines.isEmpty ? replay.changes(of: first) : replay.changes(of: lines)
            var commit = rest[rest.startIndex + count - 1].commit
            commit.number = last.number + count
            let made = CommittedChanges(
                committed: CommittedGraph(graph: changes.after, commit: commit), changes: changes)
            writer.log.append(JournalEntry(made, lines: lines.map(\.line)))
            (last, isShown) = (made.committed, first.changes != nil)
            rest = rest.dropFirst(count)
        }
        return confirmed.count
    }

    /// Checks that commits of the log are the next ones after a number, and that they fit.
    func check(_ commits: [SharedCommit], after last: Int) throws {
        for (commit, number) in zip(commits, (last + 1)...) {
            guard commit.number == number else {
                throw DocumentError.incomplete(file: Self.name(number))
            }
            try commit.origin.model.check(
                against: model, in: Self.name(commit.number), writer.directory.path)
        }
        try checkOpenings(Set(commits.lazy.map(\.id.opening)))
    }

    /// Checks that nobody else gives out the numbers of this folder.
    ///
    /// - Parameters:
    ///   - others: The openings of some commits that the log has.
    ///   - logged: Which commits a base stands for, if that is all that is known of them.
    /// - Throws: `DocumentError.copied`; the folder knows it by then.
    func checkOpenings(_ others: Set<Int64>, ofBase logged: LoggedCommits? = nil) throws {
        let (own, part) = (outbox.openings, SharingMembership.part)
        let (last, range) = (part(outbox.opening), SharingMembership.range(of: outbox.opening))
        let taken = Set(others.subtracting(own).map(part))
        var parts = taken.intersection(own.map(part))
        // It would begin that part, too, when it is opened again.
        let isCopied = taken.contains {
            $0 > last && SharingMembership.range(ofPart: $0) == range
        }
        guard isCopied || !parts.isEmpty else { return }
        if isCopied, let logged {
            // Where nothing tells whether the log had what waits, or others of the same numbers, all moves of which it has
            // nothing for sure, and comes twice rather than not at all.
            let waiting = outbox.waiting
            let unknown = own.filter {
                let first = SharedCommit.ID(opening: $0, sequence: 1)
                return SharingMembership.range(of: $0) == range && waiting.contains(first)
                    && logged.contains(first) == nil
            }
            parts.formUnion(unknown.map(part))
        }
        try SharingMembership.noteOthers(withNumbersIn: parts, in: writer.directory)
        throw DocumentError.copied(path: writer.directory.path.description)
    }

    /// Brings the next commits of the log into the store; blocks.
    func accept(_ commits: [SharedCommit]) throws {
        try check(commits, after: outbox.confirmedNumber)
        let waiting = outbox.waiting
        var rest = commits[...]
        // An answer may have been lost: the log has them as they were handed over.
        while let first = rest.first, waiting.contains(first.id) {
            let count = try confirm(rest)
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        try merge(Array(rest), own: waiting)
    }

    /// Makes commits of the log, and then again those of this process that the log does not have.
    ///
    /// - Parameters:
    ///   - commits: The commits.
    ///   - own: Those of this process, which were made again here since the log got them.
    /// - Throws: `DocumentError` where one can't be made, or `FileSystemError`.
    private func merge(_ commits: [SharedCommit], own: Set<SharedCommit.ID>) throws {
        let isWaiting = outbox.waitingCount > 0
        let merge = LogMerge(self, own: own.intersection(commits.lazy.map(\.id)))
        let isAtOnce = isWaiting || commits.count >= Self.crowd
        for run in Self.runs(of: commits, own: own, atOnce: isAtOnce) {
            try merge.take(run)
            // Each shows by itself, unless what waits here has to be made again each time.
            if !isWaiting || run.endIndex == commits.endIndex { try merge.publish() }
        }
    }

    /// The commits that become one change of the store each: none are own ones and those of others.
    static func runs(
        of commits: [SharedCommit], own: Set<SharedCommit.ID> = [], atOnce: Bool
    ) -> [ArraySlice<SharedCommit>] {
        var (runs, start) = ([ArraySlice<SharedCommit>](), 0)
        for end in commits.indices.dropFirst() {
            let pair = commits[end - 1...end]
            // In the journal, files of the document stand for values.
            let isBesideOther =
                pair.contains { $0.isLong || !$0.values.isEmpty }
                || own.contains(commits[end - 1].id) != own.contains(commits[end].id)
            guard !atOnce || isBesideOther else { continue }
            runs.append(commits[start..<end])
            start = end
        }
        return commits.isEmpty ? [] : runs + [commits[start...]]
    }

    /// Begins to make the commits again that the log does not have, on top of what it has.
    ///
    /// - Parameters:
    ///   - last: What it has.
    ///   - others: What others wrote.
    ///   - known: The commits of this process that it has, though not as they are here.
    ///   - unsure: Those of which nothing tells whether it has them.
    /// - Returns: What makes the others again.
    func rebase(
        onto last: CommittedGraph, after others: [[TableChanges]],
        except known: Set<SharedCommit.ID>, unsure: Set<SharedCommit.ID> = []
    ) -> Rebase {
        let content = outbox.content
        return Rebase(
            except: known, unsure: unsure,
            passedOver: Self.passedOver(in: content.commits, by: known),
            refused: outbox.refused.ids(in: content.commits),
            UnsharedReplay(on: content.confirmed.graph, writer), onto: last.graph, after: others,
            by: writer.options, in: writer.store
        ) { [outbox] commit, position in
            outbox.line(of: commit, last.number + 1 + position, synced: last.number)
        }
    }

    /// The commits that the log does not have, though it has later ones.
    ///
    /// Commits go to the log in their order, so whoever sent the later one had done with them: this process, or one that has
    /// a copy of the folder. They were refused there, or became one with the later one. Made again, they would undo what came
    /// after them, or come twice.
    private static func passedOver(
        in commits: ContiguousArray<UnsharedCommit>, by known: Set<SharedCommit.ID>
    ) -> Set<SharedCommit.ID> {
        guard !known.isEmpty, let last = commits.lastIndex(where: { known.contains($0.id) })
        else { return [] }
        return Set(commits[..<last].lazy.map(\.id)).subtracting(known)
    }

    /// Shows what the log has in the store, with the commits that it does not have on top.
    ///
    /// - Parameters:
    ///   - made: What the log has, one after the other.
    ///   - replay: What made it.
    ///   - rebase: What makes the others again; it may have begun with the first of them.
    /// - Throws: `DocumentError` where a line can't be made again.
    func publish(
        _ made: [CommittedChanges], by replay: inout JournalReplay, _ rebase: Rebase
    ) throws {
        guard let last = made.last?.committed else { return }
        let token = listener.withLock(\.self)
        var rebase = rebase
        while true {
            // In this order: a commit that comes in between is not lost, but lets the attempt fail.
            let head = writer.store.head
            let content = outbox.content
            // Only commits come meanwhile, so each attempt is as short as what came during the one before.
            try rebase.make(content.commits.dropFirst(rebase.count))
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

    // MARK: - Being late

    /// Brings the next commits of the log into the store, and lets the log have the first of those that wait as soon as
    /// these are made again.
    ///
    /// To make all of them again takes as long as there are many, and if somebody else saves meanwhile it was in vain. How
    /// many are sent before shrinks as long as others are still faster, and grows again.
    func acceptAnswering(_ commits: [SharedCommit]) async throws {
        let merge = try await run { exchange -> LogMerge? in
            // The log must not have a later one while the file has one that was refused before it.
            if exchange.outbox.hasDropped { try exchange.writeWaiting() }
            let waiting = exchange.outbox.waiting
            guard !waiting.isEmpty, !commits.contains(where: { waiting.contains($0.id) }) else {
                try exchange.accept(commits)
                return nil
            }
            try exchange.check(commits, after: exchange.outbox.confirmedNumber)
            let merge = LogMerge(exchange)
            try merge.take(commits)
            return merge
        }
        guard let merge else { return }
        let waiting = outbox.waiting
        var (sent, failures): ([SharedCommit], Int) = ([], 0)
        while sent.count < waiting.count, failures < 4 {
            let count = portion.withLock(\.self)
            let lines = try await run { _ in try merge.next(count) }
            guard let number = lines.first.map({ $0.number - 1 }) else { break }
            let isAdded: Bool
            do {
                isAdded = try await log.append(lines, after: number)
            } catch {
                // It may have them, and then it is to be known that they are these.
                try await run { _ in try merge.publish() }
                throw error
            }
            portion.withLock {
                $0 = isAdded ? max($0, 2 * lines.count) : max(lines.count / 2, 1)
            }
            if isAdded {
                sent += lines
                continue
            }
            failures += 1
            guard sent.isEmpty, case let next = try await log.commits(after: number),
                next.first?.number == number + 1, next.count < Self.crowd,
                next.allSatisfy({ $0.values.isEmpty && !waiting.contains($0.id) })
            else { break }
            try await run { exchange in
                try exchange.check(next, after: number)
                try merge.take(next)
            }
        }
        try await run { [sent] exchange in
            try merge.publish()
            _ = try exchange.confirm(sent)
        }
    }
}
