public import Foundation
import PlacesBase
import Synchronization

/// Holds the committed graph of a model, for any number of contexts.
///
/// ```swift
/// let store = try GraphStore(model: [Photo.self, Place.self])
/// let context = ManagedObjectContext(store)
/// ```
public final class GraphStore: Sendable {
    /// The entities of the model and their properties.
    public var schema: Schema { model.schema }
    package let model: ObjectModel
    let rows: RowAllocator
    /// Who of the transactions that met a conflict is next.
    let transactions = Turnstile()
    /// Who of those who save goes first.
    let precedence = CommitPrecedence()
    /// Held by the one import that reads its file again, for others saved meanwhile.
    let imports = Mutex(())
    private let isSnapshot: Bool
    private let isClosed = Atomic(false)
    /// Tells the time: when commits are made, and what requests mean by now.
    let now: @Sendable () -> Date
    /// What live results sleep on until the time at which they change.
    let clock: any Clock<Duration>
    private let state: Mutex<State>

    private struct State {
        var history: CommitHistory
        var recent: RecentChanges
        /// The numbers of the commits that contexts are based on, by token.
        var forks: [Int: Int] = [:]
        var nextFork = 0
        var listeners = CommitListeners()

        /// Remembers what a commit changed for contexts that are based on an earlier one.
        mutating func remember(_ tables: [TableChanges], of number: Int) {
            recent.append(tables, of: number)
            if recent.isLong { recent.forget(upTo: forks.values.min() ?? number) }
        }

        /// The lifetime of the graph after some changes to that of the head: another one where rows are not
        /// used any more.
        func lifetime(after changes: ChangeSet) -> GraphLifetime? {
            let graph = history.head.graph
            guard let lifetime = graph.lifetime else { return nil }
            lifetime.retire(graph.retiredRows(by: changes))
            return lifetime.hasRetired ? lifetime.beginNext() : lifetime
        }
    }

    /// Makes a store without objects.
    ///
    /// - Parameters:
    ///   - types: The classes of the objects.
    ///   - now: Tells the time: it dates commits, and requests that depend on the time use it.
    ///   - clock: The clock on which live results sleep until the time at which they change.
    /// - Throws: A `SchemaError` that names the class and the property.
    public convenience init(
        model types: [ManagedObject.Type], now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration> = ContinuousClock()
    ) throws(SchemaError) {
        let model = try ObjectModel(types)
        self.init(model: model, graph: Graph(layout: model.layout), now: now, clock: clock)
    }

    /// Makes a store over a graph of the model's schema, whose saves clear rows of objects that are gone in
    /// batches of at least some; `rows` hands out the rows, where somebody holds some already.
    init(
        model: ObjectModel, graph: Graph, commit: Commit? = nil, isReadOnly: Bool = false,
        clearing batch: Int = 64, rows: RowAllocator? = nil,
        now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.model = model
        self.clock = clock
        isSnapshot = isReadOnly
        self.now = now
        let rows = rows ?? RowAllocator(tables: graph.tables.count, clearing: batch)
        self.rows = rows
        var graph = graph
        graph.lifetime = GraphLifetime(rows)
        for table in graph.tables.tableNumbers {
            rows.reserve(below: graph.tables[table].upperBound, in: table)
            // Looking for them takes as long as there are rows, and nobody saves to a snapshot.
            if !isReadOnly { rows.end(graph.unusedRows(in: table)) }
        }
        let commit = commit ?? Commit(number: 0, date: now(), author: nil)
        let history = CommitHistory(CommittedGraph(graph: graph, commit: commit))
        state = Mutex(State(history: history, recent: RecentChanges(after: commit.number)))
    }

    deinit {
        for listener in state.withLock({ $0.listeners.removeAll() }) { listener.whenRemoved() }
    }

    /// Whether saves are refused.
    var isReadOnly: Bool { isSnapshot || isClosed.load(ordering: .acquiring) }

    /// Refuses saves from now on, or no more: none is under way when this returns.
    func setClosed(_ isClosed: Bool) {
        state.withLock { _ in self.isClosed.store(isClosed, ordering: .releasing) }
    }

    /// The committed graph.
    var head: CommittedGraph { state.withLock { $0.history.head } }

    // MARK: - Forks

    /// The committed graph for a context to begin with, and the token by which it says what it is based on.
    func fork() -> (CommittedGraph, Int) {
        state.withLock { state in
            let head = state.history.head
            state.nextFork += 1
            state.forks[state.nextFork] = head.number
            return (head, state.nextFork)
        }
    }

    /// Lets the context of a token be based on a later commit.
    func move(_ fork: Int, to number: Int) {
        state.withLock { $0.forks[fork] = number }
    }

    /// Forgets the context of a token.
    func remove(_ fork: Int) {
        state.withLock { _ = $0.forks.removeValue(forKey: fork) }
    }

    /// What each commit changed, from the one after a number on up to the one of another; `nil` where
    /// that is not remembered.
    func changes(since number: Int, upTo last: Int) -> [[TableChanges]]? {
        state.withLock { $0.recent.changes(since: number, upTo: last) }
    }

    /// What each commit after one of a number changed, also those later than a head that was asked for
    /// before, where reading it takes less than comparing two graphs.
    func fewChanges(since number: Int) -> [[TableChanges]]? {
        state.withLock { $0.recent.fewChanges(since: number) }
    }

    /// The number of saves so far; in a document it includes those before it was opened, and those of other processes.
    public var commitNumber: Int { head.number }

    /// Takes a snapshot of the committed graph, which any thread may read and keep.
    ///
    /// - Complexity: O(1).
    public func snapshot() -> GraphSnapshot { GraphSnapshot(store: self, committed: head) }

    // MARK: - History

    /// How many commits before the latest one the store keeps; none by default.
    ///
    /// Each costs the memory of what later commits changed. If you lower the limit, the store
    /// forgets the oldest commits.
    public var historyLimit: Int {
        get { state.withLock { $0.history.limit } }
        set {
            state.withLockReleasingResult { state in
                let former = state.history
                state.history.limit = newValue
                return former
            }
        }
    }

    /// The commits that can be read, oldest first; the latest one is always among them.
    public var history: [Commit] { state.withLock { $0.history.commits } }

    /// Takes a snapshot of the objects as they were after a commit.
    ///
    /// - Throws: `HistoryError` if the commit is not kept, or was not made yet.
    /// - Complexity: O(1).
    public func snapshot(at commitNumber: Int) throws(HistoryError) -> GraphSnapshot {
        let history = state.withLock { $0.history }
        return GraphSnapshot(store: self, committed: try history.graph(at: commitNumber))
    }

    // MARK: - Commits

    /// Publishes the graph after some changes, unless somebody published another since `base`;
    /// returns what is committed then.
    ///
    /// All listeners but that of `committer` hear of it. Objects come back in the rows of `revived`, which
    /// earlier commits deleted.
    func commit(
        _ changes: ChangeSet, reviving revived: some Sequence<RowAddress>,
        onto base: CommittedGraph, author: String? = nil, by committer: Int? = nil
    ) -> CommittedGraph? {
        yield(from: base)
        let date = now()
        let published = state.withLock { state -> Published? in
            let number = state.history.head.number
            guard number == base.number, !isReadOnly else { return nil }
            let commit = Commit(number: number + 1, date: date, author: author)
            return publish(changes, reviving: revived, as: commit, by: committer, in: &state)
        }
        published?.listeners.wake(exceptFor: committer)
        // What nobody has any more ends now that the lock is given back.
        return withExtendedLifetime(published) { published?.committed }
    }

    /// Waits while another save goes first, unless one on top of `base` comes too late already.
    private func yield(from base: CommittedGraph) {
        if precedence.isTaken, head.number == base.number { precedence.yield() }
    }

    /// Publishes what other processes committed, unless somebody published another graph since `base`; returns whether
    /// it did, and runs `body` when it is sure to do so, before anybody can publish the next one.
    ///
    /// Whoever listens by the token `listener` does not hear of it. Objects come back in the rows of `revived`, which are
    /// still those of what `body` replaces. It also tells which commits of the log, and of those that wait for it, are part
    /// of this one: it has the number of the last, or a later one if the store had that already.
    func merge<Replaced: Sendable>(
        _ changes: ChangeSet, reviving revived: some Sequence<RowAddress>,
        onto base: CommittedGraph, date: Date, author: String?,
        except listener: Int?, _ body: () -> (commits: ClosedRange<Int>, replaced: Replaced)
    ) -> Bool {
        yield(from: base)
        let (published, replaced) = state.withLock { state -> (Published?, Replaced?) in
            guard state.history.head.number == base.number else { return (nil, nil) }
            let (commits, replaced) = body()
            let number = max(commits.upperBound, base.number + 1)
            let commit = Commit(number: number, date: date, author: author)
            let published = publish(
                changes, reviving: revived, as: commit, from: commits.lowerBound, by: listener,
                in: &state)
            return (published, replaced)
        }
        published?.listeners.wake(exceptFor: listener)
        return withExtendedLifetime((published, replaced)) { published != nil }
    }

    /// Publishes the graph after a commit of another process, which nobody in this one can change.
    func follow(
        _ changes: ChangeSet, reviving revived: some Sequence<RowAddress>, as commit: Commit
    ) -> CommittedGraph {
        let published = state.withLock {
            publish(changes, reviving: revived, as: commit, in: &$0)
        }
        published.listeners.wake(exceptFor: nil)
        return withExtendedLifetime(published) { published.committed }
    }

    /// A graph that was published, who is to be woken when the lock is given back, and what may be freed then.
    private struct Published {
        let committed: CommittedGraph
        let listeners: CommitListeners
        let former: CommittedGraph?
        let released: [any Sendable]
    }

    /// Publishes a graph, and tells of it.
    private func publish(
        _ changes: ChangeSet, reviving revived: some Sequence<RowAddress>, as commit: Commit,
        from first: Int? = nil, by committer: Int? = nil, in state: inout State
    ) -> Published {
        let first = first ?? state.history.head.number + 1
        var graph = changes.after
        graph.lifetime = state.lifetime(after: changes)
        for address in revived { rows.revive(address) }
        let committed = CommittedGraph(graph: graph, commit: commit)
        let former = state.history.append(committed)
        state.remember(changes.writes, of: committed.number)
        // Under the lock, so that everybody hears of commits in their order.
        let released = state.listeners.tell(
            CommittedChanges(
                committed: committed, changes: changes,
                first: first < commit.number ? first : nil), exceptFor: committer)
        return Published(
            committed: committed, listeners: state.listeners, former: former, released: released)
    }

    /// Lets rows be used again of objects that were never committed, or not for long, when no graph is left
    /// that may have them.
    func retire(
        _ rows: ContiguousArray<RetiredRow>, releasing addresses: ContiguousArray<RowAddress>
    ) {
        guard !rows.isEmpty || !addresses.isEmpty else { return }
        state.withLock { state in
            let graph = state.history.head.graph
            graph.lifetime?.retire(
                ContiguousArray(rows.filter(graph.canBeUsedAgain)), releasing: addresses)
        }
    }

    /// Lets a listener hear of all commits from now on, until the token is removed or the store goes.
    func addListener(_ listener: CommitListener) -> Int {
        state.withLock { $0.listeners.add(listener) }
    }

    /// Lets the listener of a token hear no more.
    func removeListener(_ token: Int) {
        state.withLock { $0.listeners.remove(token) }?.whenRemoved()
    }

    /// How many listeners there are.
    var listenerCount: Int { state.withLock(\.listeners.count) }
}
