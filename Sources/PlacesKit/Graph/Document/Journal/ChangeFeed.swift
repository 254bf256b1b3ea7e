import Synchronization

/// Hands the lines of commits to those who follow a document, once they are on disk.
final class ChangeFeed: Sendable {
    private struct State {
        var followers: [Int: ChangeFollower] = [:]
        var next = 0
        var isFinished = false
        /// Lines that are not known to be on disk.
        var waiting = WaitingLines()
    }

    private let state = Mutex(State())

    /// Whether somebody has the lines.
    var isFollowed: Bool { state.withLock { !$0.followers.isEmpty } }

    /// Adds lines that are to be handed out when they are on disk.
    func add(_ lines: some Sequence<[UInt8]>) {
        state.withLock { state in
            guard !state.followers.isEmpty else { return }
            for line in lines { state.waiting.add(line, limit: WaitingLines.usualLimit) }
        }
    }

    /// Hands out the lines that were added: all are on disk.
    func deliver() {
        let (followers, lines) = state.withLock { state in
            defer { state.waiting = WaitingLines() }
            return (Array(state.followers.values), state.waiting)
        }
        for follower in followers { follower.add(lines) }
    }

    /// Lets somebody have all lines from now on, until there are no more.
    func follow(_ follower: ChangeFollower) {
        let number = state.withLock { state -> Int? in
            guard !state.isFinished else { return nil }
            state.next += 1
            state.followers[state.next] = follower
            return state.next
        }
        guard let number else { return follower.finish() }
        follower.onTermination { [weak self] in
            self?.state.withLock { state in _ = state.followers.removeValue(forKey: number) }
        }
    }

    /// Lets nobody wait any longer.
    func finish() {
        let followers = state.withLock { state in
            state.isFinished = true
            return state.followers.values
        }
        for follower in followers { follower.finish() }
    }
}

/// Lines of consecutive commits, as many as there is room for.
struct WaitingLines: Sendable {
    /// How much lines may weigh unless somebody says otherwise.
    static let usualLimit = 1024

    /// A slice, so that those behind need not move up when the first is taken.
    private(set) var lines: ArraySlice<[UInt8]> = []
    private var weight = 0
    /// Whether more lines follow, for which there was no room: they are in the files.
    var goesOn: Bool
    /// Whether the lines that are added next may not be those that follow: some were not on disk that nobody keeps.
    var mayLackNext = false

    init(goesOn: Bool = false) { self.goesOn = goesOn }

    /// Adds a line if all before it are here, and there is room: each weighs one, and one more for each 4 KB.
    mutating func add(_ line: [UInt8], limit: Int) {
        let weight = weight + 1 + line.count / 4096
        guard !goesOn, lines.isEmpty || weight <= limit else {
            goesOn = true
            return
        }
        lines.append(line)
        self.weight = weight
    }

    /// Takes the first line.
    mutating func take() -> [UInt8]? {
        guard let line = lines.first else { return nil }
        weight -= 1 + line.count / 4096
        // Its place may stay for a while, but not its bytes.
        lines[lines.startIndex] = []
        lines.removeFirst()
        return line
    }
}
