import PlacesBase
import Synchronization

/// The commits of a store that are not on disk yet.
///
/// However many there are, and whether they can be written or not: the last ones have what they changed, the others only
/// their lines, but for those that bring bytes with external storage.
final class CommitLog: Sendable {
    private struct State {
        var entries: ContiguousArray<JournalEntry> = []
        /// How many entries were there before these.
        private(set) var droppedCount = 0
        /// How many of all entries are sealed, as far as they can be: the first ones.
        var sealedCount = 0
        /// The last commit that was handed to the system.
        var written: CommittedGraph
        /// The number of the last commit that is on disk.
        var durable: Int
        var latest: Int

        /// The position of the first entry that is not sealed.
        var firstOpen: Int { max(sealedCount - droppedCount, 0) }

        /// How many entries are not sealed, the last ones.
        var openCount: Int { entries.count - firstOpen }

        /// Drops the first entries, and returns them.
        mutating func drop(_ count: Int) -> ContiguousArray<JournalEntry> {
            let dropped = ContiguousArray(entries.prefix(count))
            entries.removeFirst(count)
            droppedCount += count
            return dropped
        }

        /// Notes the last commit that was handed to the system; returns the one before.
        mutating func write(_ committed: CommittedGraph) -> CommittedGraph {
            defer { written = committed }
            return written
        }
    }

    /// How many commits are a crowd.
    static let crowdSize = 16
    /// How many commits hold graphs at most; who adds one more seals the first one, unless that takes long: then it has
    /// changed so much that its line takes as much as its graphs.
    ///
    /// All of them take a few megabytes. Of more, a processor would no longer have in its caches what the lines tell.
    static let limit = 64
    /// How many commits are not worth sealing, for they may be written soon.
    private static let rest = 4

    private let state: Mutex<State>
    private let names: JournalNames
    /// Yields when a commit comes.
    let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    /// Yields when many commits wait that hold graphs.
    let crowds: AsyncStream<Void>
    private let crowd: AsyncStream<Void>.Continuation

    /// Begins with a graph that is on disk.
    init(_ committed: CommittedGraph, names: JournalNames) {
        state = Mutex(
            State(written: committed, durable: committed.number, latest: committed.number))
        self.names = names
        (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        (crowds, crowd) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Adds one commit, or several; but not those that are there already.
    ///
    /// After a crash the files may have commits of a shared log that are made again, for others wait which were made before.
    ///
    /// - Returns: What one was that is sealed now, if any. With it bytes may be freed whose owner runs code then, so whoever
    ///   holds a lock passes it on.
    @discardableResult
    func append(_ entry: JournalEntry) -> JournalEntry? {
        let (isCrowd, former) = state.withLock { state -> (Bool, JournalEntry?) in
            guard let entry = entry.following(state.latest) else { return (false, nil) }
            state.entries.append(entry)
            state.latest = entry.number
            var former: JournalEntry?
            if state.openCount > Self.limit {
                let first = state.firstOpen
                if state.entries[first].made?.changes.hasShortLine == true {
                    former = state.entries[first]
                    state.entries[first].seal(names: names, synced: state.durable)
                }
                state.sealedCount = state.droppedCount + first + 1
            }
            return (state.openCount >= Self.crowdSize, former)
        }
        signal.yield()
        if isCrowd { crowd.yield() }
        return former
    }

    /// Seals all commits but the last ones, while others are added.
    func seal() {
        var (sealed, start, synced) = state.withLock { state in
            (
                ContiguousArray(state.entries[state.firstOpen...].dropLast(Self.rest)),
                state.droppedCount + state.firstOpen, state.durable
            )
        }
        for index in sealed.indices { sealed[index].seal(names: names, synced: synced) }
        state.withLock { state in
            // Some may have been written meanwhile. The others are exchanged, so that what they held goes afterwards.
            for index in sealed.indices where start + index >= state.droppedCount {
                swap(&sealed[index], &state.entries[start + index - state.droppedCount])
            }
            state.sealedCount = max(state.sealedCount, start + sealed.count)
        }
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
        state.withLockReleasingResult { state in
            state.latest = committed.number
            return (state.drop(state.entries.count), state.write(committed))
        }
        signal.yield()
    }

    /// Notes that all commits up to one were handed to the system.
    func noteWritten(_ committed: CommittedGraph) {
        state.withLockReleasingResult { state in
            (
                state.drop(state.entries.prefix { $0.number <= committed.number }.count),
                state.written.number <= committed.number ? state.write(committed) : nil
            )
        }
    }

    /// Notes that all commits up to the one of a number are on disk.
    func noteDurable(_ number: Int) {
        state.withLock { $0.durable = max($0.durable, number) }
    }
}
