import Synchronization

/// Hands the commits of a document to one consumer, who may take any time: some wait in memory, the others
/// in the files, which are read when he has come so far.
final class ChangeFollower: Sendable {
    private struct State {
        var waiting: WaitingLines
        /// The number of the last commit that was handed out, and that commit; `nil` before there was one.
        var last: Int
        var commit: Commit?
        /// Where the files are read next; `nil` before they were.
        var position: ChangePosition?
        var isFinished = false
        var failure: (any Error)?

        /// The number of the last commit that was handed out, or waits in memory.
        var end: Int { waiting.lines.last?.withUnsafeBytes(JournalLine.number) ?? last }

        /// Notes that a commit is handed out; returns whether it comes after the others.
        ///
        /// Who was told of more than the document knew to be on disk, as where a disk failed, does not get it twice.
        mutating func note(_ record: ChangeRecord) -> Bool {
            guard record.commit > last else { return false }
            last = record.commit
            commit = Commit(record)
            return true
        }
    }

    private enum Step {
        case take([UInt8])
        case read
        case wait
        case end
    }

    /// How much may wait in memory.
    let limit: Int
    private let state: Mutex<State>
    private let signal: AsyncStream<Void>.Continuation

    private init(after number: Int, limit: Int, _ signal: AsyncStream<Void>.Continuation) {
        self.limit = limit
        self.signal = signal
        state = Mutex(State(waiting: WaitingLines(goesOn: true), last: number))
    }

    /// Makes somebody who follows a document.
    ///
    /// - Parameters:
    ///   - number: The number of the commit.
    ///   - limit: How much may wait in memory.
    ///   - read: Lets `add(after:)` have lines from the files, while no others are added.
    /// - Returns: Who follows the document, and the commits.
    static func make(
        after number: Int, limit: Int,
        read: @escaping @Sendable (ChangeFollower) async throws -> Void
    ) -> (follower: ChangeFollower, records: AsyncThrowingStream<ChangeRecord, any Error>) {
        let (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let follower = ChangeFollower(after: number, limit: limit, signal)
        let records = AsyncThrowingStream<ChangeRecord, any Error> {
            while true {
                switch try follower.step() {
                case .take(let line):
                    let record = try ChangeRecord(line: line)
                    if follower.state.withLock({ $0.note(record) }) { return record }
                case .read: try await read(follower)
                case .wait:
                    var signals = signals.makeAsyncIterator()
                    // They also end when any of those who share the commits is cancelled.
                    if await signals.next() == nil, !follower.isFinished { return nil }
                case .end: return nil
                }
            }
        }
        return (follower, records)
    }

    /// What the consumer is to do next.
    private func step() throws -> Step {
        try state.withLock { state in
            if let line = state.waiting.take() { return .take(line) }
            if let failure = state.failure { throw failure }
            if state.waiting.goesOn { return .read }
            return state.isFinished ? .end : .wait
        }
    }

    /// Adds lines, of which the first is that of the commit after the last one so far.
    func add(_ lines: WaitingLines) {
        state.withLock { state in
            if state.waiting.mayLackNext {
                state.waiting.mayLackNext = false
                // All that come before them are on disk now.
                let first = lines.lines.first?.withUnsafeBytes(JournalLine.number)
                if first.map({ $0 > state.end + 1 }) ?? true { state.waiting.goesOn = true }
            }
            for line in lines.lines { state.waiting.add(line, limit: limit) }
            if lines.goesOn { state.waiting.goesOn = true }
        }
        signal.yield()
    }

    /// Lets lines of the commits after a number be those that wait, if none do but in the files.
    ///
    /// - Parameter read: Gives as many of them as there is room for, from a position on, which it moves; gets the commit of the
    ///   number, too, if that was handed out.
    func add(after read: (Int, Commit?, inout ChangePosition?) throws -> WaitingLines) {
        let start = state.withLock { state in
            state.waiting.lines.isEmpty && state.waiting.goesOn
                ? (number: state.last, commit: state.commit, position: state.position) : nil
        }
        guard var start else { return }
        let result = Result { try read(start.number, start.commit, &start.position) }
        state.withLock { state in
            state.position = start.position
            switch result {
            case .success(let lines): state.waiting = lines
            case .failure(let error): state.failure = error
            }
        }
        signal.yield()
    }

    /// Hands out no more than what waits, also in the files.
    func finish() {
        state.withLock { $0.isFinished = true }
        signal.finish()
    }

    private var isFinished: Bool { state.withLock(\.isFinished) }

    /// Whether commits follow that are in the files only.
    var goesOn: Bool { state.withLock(\.waiting.goesOn) }

    /// Calls a closure when nobody takes commits any more.
    func onTermination(_ body: @escaping @Sendable () -> Void) {
        signal.onTermination = { _ in body() }
        // He may have gone before.
        if case .terminated = signal.yield() { body() }
    }
}

extension Commit {
    /// The commit of a record.
    init(_ record: ChangeRecord) {
        self.init(number: record.commit, date: record.date, author: record.author)
    }
}
