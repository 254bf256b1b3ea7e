import Synchronization

/// The commits of a store that are not on disk yet.
///
/// However many there are, and whether they can be written or not: the last ones have what they changed, the others only
/// their lines. A line is made while what it tells is in the processor's caches; later it would take twice as long.
final class CommitLog: Sendable {
    private struct State {
        var entries: ContiguousArray<JournalEntry> = []
        /// The last commit that was handed to the system.
        var written: CommittedGraph
        /// The number of the last commit that is on disk.
        var durable: Int
        var latest: Int
    }

    private let state: Mutex<State>
    private let names: JournalNames
    /// Yields when a commit comes.
    let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    /// Yields when many commits wait.
    let crowds: AsyncStream<Void>
    private let crowd: AsyncStream<Void>.Continuation

    /// How many of the commits have what they changed, the last ones.
    static let changesLimit = 4
    /// How many commits are many.
    static let crowd = 256

    /// Begins with a graph that is on disk.
    init(_ committed: CommittedGraph, names: JournalNames) {
        state = Mutex(
            State(written: committed, durable: committed.number, latest: committed.number))
        self.names = names
        (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        (crowds, crowd) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Adds the next commit.
    func append(_ commit: CommittedChanges) { append(JournalEntry(commit)) }

    /// Adds one commit, or several.
    func append(_ entry: JournalEntry) {
        let isCrowd = state.withLock { state in
            state.entries.append(entry)
            state.latest = entry.number
            let position = state.entries.count - 1 - Self.changesLimit
            if position >= 0 { state.entries[position].seal(names: names, synced: state.durable) }
            return state.entries.count >= Self.crowd
        }
        signal.yield()
        if isCrowd { crowd.yield() }
    }

    /// Lets whoever waits for commits look for something to write.
    func announce() { signal.yield() }

    /// Lets nobody wait for commits any more.
    func finish() {
        signal.finish()
        crowd.finish()
    }

    /// The commits that were not handed to the system.
    var entries: ContiguousArray<JournalEntry> { state.withLock(\.entries) }

    /// The last commit that was handed to the system.
    var written: CommittedGraph { state.withLock(\.written) }

    /// The last commit.
    var head: CommittedGraph { state.withLock { $0.entries.last?.made?.committed ?? $0.written } }

    /// The number of the last commit that is on disk.
    var durable: Int { state.withLock(\.durable) }

    /// The number of the last commit.
    var latest: Int { state.withLock(\.latest) }

    /// Whether there is something that is not on disk.
    var isBehind: Bool { state.withLock { $0.durable < $0.latest } }

    /// Goes on after a commit that no line can bring after those that are written.
    func restart(after committed: CommittedGraph) {
        state.withLock { state in
            (state.entries, state.written, state.latest) = ([], committed, committed.number)
        }
        signal.yield()
    }

    /// Notes that all commits up to one were handed to the system.
    func noteWritten(_ committed: CommittedGraph) {
        state.withLock { state in
            state.entries.removeAll { $0.number <= committed.number }
            if state.written.number <= committed.number { state.written = committed }
        }
    }

    /// Notes that all commits up to the one of a number are on disk.
    func noteDurable(_ number: Int) {
        state.withLock { $0.durable = max($0.durable, number) }
    }
}
