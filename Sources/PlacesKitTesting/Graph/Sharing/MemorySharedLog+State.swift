import Foundation
import PlacesGraph

extension MemorySharedLog {
    /// What the log has, and what is on its way.
    struct State {
        /// What a request does when it has arrived, with the faults of its answer.
        typealias Effect<Answer> = @Sendable (inout State, [Fault]) -> Answer

        private(set) var commits: [SharedCommit] = []
        /// How many commits before these are forgotten.
        private var forgottenCount = 0
        /// When each commit was added.
        private var times: [Duration] = []
        private var base: (number: Int, content: [UInt8], values: [SharedValue])?
        /// The bytes of each value to which a commit or the base refers, by its digest.
        private(set) var values: [String: Data] = [:]
        /// The time by the log's clock.
        var time = Duration.zero
        var faults: FaultSource
        private var rangeCount = 0
        private var requestCount = 0
        /// What comes later, and before which request.
        private var late: [(due: Int, effect: Effect<Void>)] = []
        private var connectionCount = 0
        private var cutConnections: Set<Int> = []
        private var listeners: [(connection: Int, id: Int, calls: AsyncStream<Int?>.Continuation)] =
            []
        private var listenerCount = 0
        /// Those who are told of a commit once the state is not locked any more.
        var calls: [(calls: AsyncStream<Int?>.Continuation, number: Int?)] = []

        init(faults: FaultSource) { self.faults = faults }
    }
}

extension MemorySharedLog.State {
    /// Takes a request as its faults want it.
    mutating func take<Answer>(
        _ request: MemorySharedLog.Request, from connection: Int, _ effect: @escaping Effect<Answer>
    ) -> Result<Answer, MemorySharedLog.Failure> {
        guard isReachable(connection) else { return .failure(.notReached) }
        requestCount += 1
        deliver(upTo: requestCount)
        let faults = faults.next(for: request)
        var isAnswered = true
        for fault in faults {
            switch fault {
            case .refused: return .failure(.notReached)
            case .late(let count):
                come(after: count) { state, _ in _ = effect(&state, faults) }
                return .failure(.noAnswer)
            case .again(let count):
                come(after: count) { state, _ in _ = effect(&state, []) }
            case .answerLost: isAnswered = false
            case .part, .untold, .toldTwice, .toldLate: break
            }
        }
        let answer = effect(&self, faults)
        return isAnswered ? .success(answer) : .failure(.noAnswer)
    }

    /// Delivers what is due before a request.
    mutating func deliver(upTo request: Int) {
        // Of what is due, that comes first which was sent first: the order is the same each time.
        while let next = late.firstIndex(where: { $0.due <= request }) {
            late.remove(at: next).effect(&self, [])
        }
    }

    private mutating func come(after count: Int, _ effect: @escaping Effect<Void>) {
        // A number of requests beyond all means: when all is settled.
        let (due, isNever) = requestCount.addingReportingOverflow(max(1, count))
        late.append((isNever ? .max : due, effect))
    }

    mutating func claimRange() -> Int {
        rangeCount += 1
        return rangeCount
    }

    /// The number of the last commit.
    private var end: Int { forgottenCount + commits.count }

    func commits(after number: Int) -> ArraySlice<SharedCommit> {
        commits.dropFirst(max(0, number - forgottenCount))
    }

    func base(after number: Int) -> SharedBase? {
        guard let base, base.number > number else { return nil }
        return SharedBase(
            number: base.number, base.content, values: base.values, partSize: 1_000)
    }

    /// Keeps a base; returns false where it lacks bytes.
    mutating func keep(
        _ content: [UInt8], of kept: SharedBase, _ bytes: [String: Data],
        forgettingAfter age: Duration
    ) -> Bool {
        let number = kept.number
        guard number > base?.number ?? 0, number <= end else { return true }
        guard take(bytes, for: kept.values) else { return false }
        base = (number, content, kept.values.map { $0.fetching(Self.unconnected) })
        let count = times.prefix(number - 1 - forgottenCount).prefix { time - $0 >= age }.count
        commits.removeFirst(count)
        times.removeFirst(count)
        forgottenCount += count
        let used = Set((commits.flatMap(\.values) + kept.values).map(\.digest))
        values = values.filter { used.contains($0.key) }
        return true
    }

    /// Who asks has a connection, by which bytes come; those who brought them are let go.
    @Sendable private static func unconnected(_ digest: String) async throws -> Data {
        throw MemorySharedLog.Failure.valueForgotten
    }

    /// Takes those bytes that are not here yet; returns whether all are there then.
    private mutating func take(_ bytes: [String: Data], for needed: [SharedValue]) -> Bool {
        let found = needed.map { ($0.digest, values[$0.digest] ?? bytes[$0.digest]) }
        guard found.allSatisfy({ $1 != nil }) else { return false }
        for (digest, bytes) in found { values[digest] = bytes }
        return true
    }

    /// Adds commits; returns `nil` where it lacks bytes.
    mutating func append(
        _ added: [SharedCommit], after number: Int, _ bytes: [String: Data],
        _ faults: [MemorySharedLog.Fault]
    ) -> Bool? {
        guard end == number else { return false }
        guard take(bytes, for: added.flatMap(\.values)) else { return nil }
        commits += added.map { $0.fetching(Self.unconnected) }
        times += repeatElement(time, count: added.count)
        if !added.isEmpty { tell(faults) }
        return true
    }

    /// Tells everybody who is reachable, as the faults want it.
    private mutating func tell(_ faults: [MemorySharedLog.Fault]) {
        var count = 1
        for fault in faults {
            switch fault {
            case .untold: return
            case .toldTwice: count = 2
            case .toldLate(let requests): return come(after: requests) { $0.tell($1) }
            case .refused, .answerLost, .late, .again, .part: break
            }
        }
        for listener in listeners where isReachable(listener.connection) {
            for _ in 0..<count { calls.append((listener.calls, end)) }
        }
    }

    // MARK: - Connections

    mutating func connect() -> Int {
        connectionCount += 1
        return connectionCount
    }

    func isReachable(_ connection: Int) -> Bool { !cutConnections.contains(connection) }

    mutating func cut(_ connection: Int) { cutConnections.insert(connection) }

    mutating func heal(_ connection: Int) {
        guard cutConnections.remove(connection) != nil else { return }
        // Nobody knows what was missed meanwhile.
        calls += listeners(of: connection).map { ($0, nil) }
    }

    mutating func listen(_ connection: Int, _ calls: AsyncStream<Int?>.Continuation) -> Int {
        listenerCount += 1
        listeners.append((connection, listenerCount, calls))
        return listenerCount
    }

    mutating func stopListening(_ id: Int) { listeners.removeAll { $0.id == id } }

    /// Those to whom a connection tells of commits.
    func listeners(of connection: Int) -> [AsyncStream<Int?>.Continuation] {
        listeners.filter { $0.connection == connection }.map(\.calls)
    }
}
