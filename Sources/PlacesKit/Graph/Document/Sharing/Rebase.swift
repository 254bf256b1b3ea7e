/// Makes commits of this process again on top of what others committed first.
///
/// Each is made as a save of a context would be that had begun where it did: the merge policy settles conflicts, new
/// objects are folded into those that have their unique values, and the rules of the model are checked. A commit that
/// breaks one is refused, and so are those after it that need objects which it was to bring.
struct Rebase {
    /// Whose rows and classes the objects have.
    private let store: GraphStore
    private let policy: MergePolicy
    private let changesLimit: Int
    /// What the others wrote.
    private let others: [[TableChanges]]
    /// What is not made again: the log has it, or it was refused before.
    private let (known, former): (Set<SharedCommit.ID>, Set<SharedCommit.ID>)
    /// The graph after all that was made.
    private(set) var graph: Graph
    /// What was made again, in its order.
    private(set) var commits: ContiguousArray<UnsharedCommit> = []
    private(set) var refused: [(commit: UnsharedCommit, reason: String)] = []
    /// The objects that refused commits were to bring, and those that became others.
    private var missing: Set<RowAddress> = []

    private enum Outcome {
        case made(ChangeSet)
        /// New objects became others, which commits after it do not know of.
        case folded(ChangeSet)
        case refused(reason: String)
    }

    /// Makes commits again.
    ///
    /// - Parameters:
    ///   - commits: The commits, each made on what the one before it left.
    ///   - known: Those that the log has, though not as they are here; they are not made again.
    ///   - former: Those that were refused before; they stay so, as somebody was told.
    ///   - replay: Gives what they changed.
    ///   - graph: What the others left.
    ///   - others: What each of their commits wrote.
    ///   - options: What settles conflicts, and how many of the commits keep their changes.
    ///   - store: Where rows come from, and of whose classes the objects are.
    ///   - seal: Makes the line of a commit, by the position that it has among those that were made again.
    /// - Throws: `DocumentError` where a line can't be made again.
    /// - Complexity: O(k) for k changed objects.
    init(
        _ commits: ContiguousArray<UnsharedCommit>, except known: Set<SharedCommit.ID>,
        refused former: Set<SharedCommit.ID>, _ replay: UnsharedReplay, onto graph: Graph,
        after others: [[TableChanges]], by options: ManagedDocument.Options, in store: GraphStore,
        sealing seal: (UnsharedCommit, Int) -> SharedCommit
    ) throws {
        var replay = replay
        (self.graph, self.others, self.store) = (graph, others, store)
        (self.known, self.former) = (known, former)
        (policy, changesLimit) = (options.sharedMergePolicy, options.unsharedChangesLimit)
        var rest = commits[...]
        while let commit = rest.popFirst() {
            let changes = try replay.changes(of: commit)
            guard canMake(commit, changes) else { continue }
            switch make(changes) {
            case .made(let made): keep(commit, made, seal)
            case .refused(let reason): refuse(commit, changes, reason)
            case .folded:
                // What comes later means the objects that were folded, so all of it is made at once; up to one that is not
                // made, for what that one did is in the graphs of those after it.
                var (last, all) = (commit, changes)
                while let next = rest.popFirst() {
                    let changes = try replay.changes(of: next)
                    if known.contains(next.id) { continue }
                    guard canMake(next, changes) else { break }
                    (last, all) = (next, all.merging(changes))
                }
                last.earliest = commit.earliest
                switch make(all) {
                case .made(let made), .folded(let made):
                    keep(last, made, seal)
                    missing.formUnion(
                        all.insertedRows.filter { !graph.contains($0.row, in: $0.table) })
                case .refused(let reason): refuse(last, all, reason)
                }
            }
        }
    }

    /// Whether a commit is to be made again, and all is there that it needs.
    private mutating func canMake(_ commit: UnsharedCommit, _ changes: ChangeSet) -> Bool {
        if known.contains(commit.id) { return false }
        if former.contains(commit.id) {
            missing.formUnion(changes.insertedRows)
            return false
        }
        guard changes.need(missing) else { return true }
        refuse(commit, changes, "It needs objects of a commit that was not made.")
        return false
    }

    private mutating func keep(
        _ commit: UnsharedCommit, _ changes: ChangeSet,
        _ seal: (UnsharedCommit, Int) -> SharedCommit
    ) {
        graph = changes.after
        guard !changes.isEmpty else { return }
        var made = UnsharedCommit(commit.id, commit.commit, changes, in: store.rows)
        made.earliest = commit.earliest
        commits.append(made)
        let position = commits.count - 1 - changesLimit
        guard position >= 0 else { return }
        commits[position].seal(seal(commits[position], position))
    }

    private mutating func refuse(_ commit: UnsharedCommit, _ changes: ChangeSet, _ reason: String) {
        var refusal = UnsharedCommit(commit.id, commit.commit, changes, in: store.rows)
        refusal.earliest = commit.earliest
        refused.append((refusal, reason))
        missing.formUnion(changes.insertedRows)
    }

    private func make(_ changes: ChangeSet) -> Outcome {
        let foreign = ForeignWrites(
            of: others, among: changes.writtenRows, from: changes.before, to: graph)
        let conflicts = changes.conflicts(with: foreign)
        if policy == .error, let conflict = conflicts.min() {
            let id = changes.before.objectID(conflict.row, in: conflict.table)
            return .refused(reason: "Another process wrote \(id) first.")
        }
        let transaction = Transaction(graph, rows: store.rows)
        transaction.apply(Replay(changes, settling: conflicts, by: policy))
        let made = transaction.takeChanges()
        transaction.foldDuplicates(newSince: graph, taking: policy.folded)
        let folds = transaction.takeChanges()
        let all = folds.isEmpty ? made : made.merging(folds)
        // The commits hold the rows of what they delete, and nothing else goes here.
        transaction.suppliedRows.giveUp(savedIn: all.after) { _, _ in false }
            .reclaimed.forEach(store.rows.release)
        let failures = failures(of: all, in: transaction)
        if !failures.isEmpty {
            return .refused(reason: ContextError.invalid(failures).description)
        }
        return folds.isEmpty ? .made(all) : .folded(all)
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
