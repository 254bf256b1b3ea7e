/// Makes commits of this process again on top of what others committed first.
///
/// Each is made as a save of a context would be that had begun where it did: the merge policy settles conflicts, new
/// objects are folded into those that have their unique values, and the rules of the model are checked. A commit that
/// breaks one is refused, and so are those after it that need objects which it was to bring. A later commit that means an
/// object which was folded does not know what that became: it is made as one with all since the one that brought it.
struct Rebase {
    /// Whose rows and classes the objects have.
    private let store: GraphStore
    private let policy: MergePolicy
    private let changesLimit: Int
    /// What the others wrote.
    private let others: [[TableChanges]]
    /// The same by rows, once a commit is made again.
    private lazy var foreign = ForeignWrites(of: others, from: graph, to: graph)
    /// What is not made again: the log has it, or may have it, or has what came after it, or it was refused before.
    private let known, unsure, passedOver, former: Set<SharedCommit.ID>
    /// Gives what the commits changed.
    private var replay: UnsharedReplay
    /// Makes the line of a commit, by the position that it has among those that were made again.
    private let seal: (UnsharedCommit, Int) -> SharedCommit
    /// The graph after all that was made.
    private(set) var graph: Graph
    /// How many commits there were to make again.
    private(set) var count = 0
    /// How many of those the log has.
    private var knownCount = 0
    /// Whether some were refused, became one, or have nothing left to change.
    var hasDropped: Bool { commits.count != count - knownCount }
    /// What was made again, in its order.
    private(set) var commits: ContiguousArray<UnsharedCommit> = []
    private(set) var refused: [Refusal] = []
    /// The objects that refused commits were to bring, and those that became others.
    private var missing: Set<RowAddress> = []
    /// What was made since new objects became others, and what is to be made as one with it.
    private var fold: Fold?
    private var joining: [Waiting] = []

    /// A commit that was not made again, and why.
    struct Refusal {
        let commit: UnsharedCommit
        let reason: String
        /// Whether the log may have what it changed.
        let mayBeShared: Bool
    }

    private typealias Waiting = (commit: UnsharedCommit, changes: ChangeSet)

    /// What was made since new objects became others.
    private struct Fold {
        /// What there was before, and how many commits.
        let graph: Graph
        let count: Int
        let earliest: SharedCommit.ID
        /// What all commits since then changed that were not refused.
        var changes: ChangeSet
        /// Whether some were refused: what they did is in the graphs of those after them, and not in these.
        var isApart = false
        /// The objects that became others.
        private(set) var rows: Set<RowAddress> = []

        init(_ first: Waiting, onto graph: Graph, after count: Int) {
            (self.graph, self.count) = (graph, count)
            (earliest, changes) = (first.commit.earliest, first.changes)
        }

        /// Notes the objects of the last commit that a graph does not have.
        mutating func noteRows(of last: ChangeSet, missingIn graph: Graph) {
            rows.formUnion(last.insertedRows.filter { !graph.contains($0.row, in: $0.table) })
        }

        /// Lets all changes be those that left a graph as one.
        mutating func become(_ all: ChangeSet, leaving graph: Graph) {
            (changes, rows) = (all, [])
            noteRows(of: all, missingIn: graph)
        }
    }

    private enum Outcome {
        case made(ChangeSet)
        /// New objects became others, which commits after it do not know of.
        case folded(ChangeSet)
        case refused(reason: String)
    }

    /// Begins to make commits again.
    ///
    /// - Parameters:
    ///   - known: Those that the log has, though not as they are here; they are not made again.
    ///   - unsure: Those that it may have; they are refused, so that somebody is told.
    ///   - passedOver: Those that it does not have, though it has later ones; they are refused, too.
    ///   - former: Those that were refused before; they stay so, as somebody was told.
    ///   - replay: Gives what they changed.
    ///   - graph: What the others left.
    ///   - others: What each of their commits wrote.
    ///   - options: What settles conflicts, and how many of the commits keep their changes.
    ///   - store: Where rows come from, and of whose classes the objects are.
    ///   - seal: Makes the line of a commit, by the position that it has among those that were made again.
    init(
        except known: Set<SharedCommit.ID>, unsure: Set<SharedCommit.ID>,
        passedOver: Set<SharedCommit.ID>, refused former: Set<SharedCommit.ID>,
        _ replay: UnsharedReplay, onto graph: Graph, after others: [[TableChanges]],
        by options: ManagedDocument.Options, in store: GraphStore,
        sealing seal: @escaping (UnsharedCommit, Int) -> SharedCommit
    ) {
        (self.replay, self.graph, self.others, self.store) = (replay, graph, others, store)
        (self.known, self.unsure, self.passedOver) = (known, unsure, passedOver)
        (self.former, self.seal) = (former, seal)
        (policy, changesLimit) = (options.sharedMergePolicy, options.unsharedChangesLimit)
    }

    /// Makes the next commits again.
    ///
    /// - Parameter next: The commits, each made on what the one before it left.
    /// - Throws: `DocumentError` where a line can't be made again.
    /// - Complexity: O(k) for k changed objects.
    mutating func make(_ next: some Sequence<UnsharedCommit>) throws {
        replay.renew()
        for commit in next { try add(commit) }
        join()
    }

    /// Makes the first commits again, or the next ones after those, as long as each of them becomes one, and is nothing to
    /// decide about: none is refused, and no object becomes another.
    ///
    /// - Parameters:
    ///   - limit: How many at most.
    ///   - all: The commits from the first one on.
    /// - Returns: The lines of those that became one; empty from the first one on that did not.
    /// - Throws: `DocumentError` where a line can't be made again.
    mutating func makeFirst(
        _ limit: Int, of all: ContiguousArray<UnsharedCommit>
    ) throws -> [SharedCommit] {
        var (lines, size): ([SharedCommit], Int) = ([], 0)
        replay.renew()
        for commit in all.dropFirst(count).prefix(limit)
        where size < Outbox.batchSize && commits.count == count && fold == nil {
            let position = count
            try add(commit)
            guard commits.count == count, fold == nil else { break }
            let line = seal(commits[position], position)
            commits[position].line = line
            lines.append(line)
            size += line.line.count
        }
        return lines
    }

    private mutating func add(_ commit: UnsharedCommit) throws {
        let changes = try replay.changes(of: commit)
        count += 1
        if known.contains(commit.id) {
            knownCount += 1
        } else {
            take((commit, changes))
        }
    }

    /// Why a commit is not made though nothing speaks against what it changes; `nil` if it is.
    private func doubt(about id: SharedCommit.ID) -> String? {
        if unsure.contains(id) {
            return "A copy of this folder may have shared it, which the log no longer tells."
        }
        return passedOver.contains(id)
            ? "The log has later commits of this folder without it, or with it as one." : nil
    }

    private mutating func take(_ next: Waiting) {
        let doubt = doubt(about: next.commit.id)
        if doubt != nil || former.contains(next.commit.id) || next.changes.need(missing) {
            join()
            if former.contains(next.commit.id) { return skip(next.changes) }
            return refuse(
                next, doubt ?? "It needs objects of a commit that was not made.",
                mayBeShared: doubt != nil)
        }
        if let fold, !joining.isEmpty || next.changes.concern(fold.rows) {
            joining.append(next)
            // All since the fold is made again with them, so they come together, but not more than are in memory anyway.
            if joining.count >= changesLimit { join() }
            return
        }
        let before = graph
        switch make(next.changes, onto: graph) {
        case .made(let made):
            addToFold(next)
            keep(next.commit, made)
        case .folded(let made):
            if fold == nil {
                fold = Fold(next, onto: before, after: commits.count)
            } else {
                addToFold(next)
            }
            keep(next.commit, made)
            fold?.noteRows(of: next.changes, missingIn: graph)
        case .refused(let reason): refuse(next, reason)
        }
    }

    private mutating func addToFold(_ next: Waiting) {
        guard let fold else { return }
        let all = changes(since: fold, and: [next])
        self.fold?.changes = all
    }

    // MARK: - Joining

    /// Makes what waits for that as one with what was made since the fold.
    private mutating func join() {
        while let fold, !joining.isEmpty {
            let all = joining
            joining = []
            // Who comes after the last one that means what was folded is independent of it.
            let last = all.lastIndex { $0.changes.concern(fold.rows) } ?? 0
            join(all[...last])
            for next in all[(last + 1)...] { take(next) }
        }
    }

    /// Makes some commits as one with what was made since the fold, up to the first one with which that breaks a rule.
    private mutating func join(_ some: ArraySlice<Waiting>) {
        guard let fold, let last = some.last else { return }
        let all = changes(since: fold, and: some)
        switch make(all, onto: fold.graph) {
        case .made(let made), .folded(let made):
            commits.removeSubrange(fold.count...)
            graph = fold.graph
            var commit = last.commit
            commit.earliest = fold.earliest
            keep(commit, made)
            self.fold?.become(all, leaving: graph)
        case .refused(let reason) where some.count == 1: refuse(last, reason)
        case .refused:
            let (middle, count) = (some.startIndex + some.count / 2, refused.count)
            join(some[..<middle])
            if refused.count == count { return join(some[middle...]) }
            // They may need objects that one was to bring which is not made.
            for next in some[middle...] { take(next) }
        }
    }

    /// What was changed since a fold, and then by some commits, as one.
    private func changes(since fold: Fold, and some: ArraySlice<Waiting>) -> ChangeSet {
        some.reduce(fold.changes) { all, next in
            guard fold.isApart else { return all.merging(next.changes) }
            let transaction = Transaction(all.after, rows: store.rows)
            transaction.apply(Replay(next.changes))
            let made = transaction.takeChanges()
            giveUpRows(of: transaction, savedIn: made.after)
            return all.merging(made)
        }
    }

    private mutating func keep(_ commit: UnsharedCommit, _ changes: ChangeSet) {
        graph = changes.after
        guard !changes.isEmpty else { return }
        var made = UnsharedCommit(commit.id, commit.commit, changes, in: store.rows)
        made.earliest = commit.earliest
        commits.append(made)
        let position = commits.count - 1 - changesLimit
        guard position >= 0 else { return }
        commits[position].seal(seal(commits[position], position))
    }

    private mutating func refuse(
        _ next: Waiting, _ reason: String, mayBeShared: Bool = false
    ) {
        let commit = next.commit
        var refusal = UnsharedCommit(commit.id, commit.commit, next.changes, in: store.rows)
        refusal.earliest = commit.earliest
        refused.append(Refusal(commit: refusal, reason: reason, mayBeShared: mayBeShared))
        skip(next.changes)
    }

    /// Notes that a commit is not made.
    private mutating func skip(_ changes: ChangeSet) {
        // What a copy of the folder shared as one with later commits is there.
        missing.formUnion(changes.insertedRows.filter { !graph.contains($0.row, in: $0.table) })
        fold?.isApart = true
    }

    // MARK: - Making

    private mutating func make(_ changes: ChangeSet, onto graph: Graph) -> Outcome {
        let conflicts = changes.conflicts(with: foreign.between(changes.before, graph))
        if policy == .error, let conflict = conflicts.min() {
            let id = changes.before.objectID(conflict.row, in: conflict.table)
            return .refused(reason: "Another process wrote \(id) first.")
        }
        let transaction = Transaction(graph, rows: store.rows)
        transaction.apply(
            Replay(
                changes, settling: conflicts, by: policy,
                keepingWhole: store.model.indivisibleParts))
        let made = transaction.takeChanges()
        transaction.foldDuplicates(newSince: graph, taking: policy.folded)
        let folds = transaction.takeChanges()
        let all = folds.isEmpty ? made : made.merging(folds)
        giveUpRows(of: transaction, savedIn: all.after)
        let failures = failures(of: all, in: transaction)
        if !failures.isEmpty {
            return .refused(reason: ContextError.invalid(failures).description)
        }
        return folds.isEmpty ? .made(all) : .folded(all)
    }

    /// Gives up what a transaction holds: the commits hold the rows of what they delete, and nothing else goes here.
    private func giveUpRows(of transaction: Transaction, savedIn graph: Graph) {
        transaction.suppliedRows.giveUpAll(savedIn: graph)
            .reclaimed.forEach(store.rows.release)
    }

    /// The rules of the model that changes break, and what the objects say of themselves.
    private func failures(
        of changes: ChangeSet, in transaction: Transaction
    ) -> [ValidationFailure] {
        // Objects need a context; this one shows them as the commit leaves them.
        let context = ManagedObjectContext(
            GraphStore(model: store.model, graph: changes.after, isReadOnly: true, now: store.now))
        return context.failures(
            of: changes, denied: transaction.deniedDeletes(in: changes.after))
    }
}
