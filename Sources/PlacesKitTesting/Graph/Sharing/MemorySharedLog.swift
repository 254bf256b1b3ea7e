package import Foundation
public import PlacesGraph
import Synchronization

/// A shared log in memory, whose answers and notices can go wrong.
///
/// ```swift
/// let log = MemorySharedLog(script: [[], [.answerLost], [.refused, .untold]])
/// let (first, second) = (log.connection(), log.connection())
/// second.cut()
/// _ = try await first.append([commit], after: 0)
/// second.heal()
/// log.settle()
/// ```
/// - Each member has a connection of its own, which can be cut and healed.
/// - The faults of the requests that reach the log come from a script or from a generator. With the same faults,
///   the same requests in the same order have the same outcome.
/// - What is late comes before a later request, of whatever connection. The log's own clock, by which commits get old
///   enough to be forgotten, stands still until you advance it.
public final class MemorySharedLog: Sendable {
    private let state: Mutex<State>

    /// Creates an empty log.
    ///
    /// - Parameter script: The faults of each request, in the order in which requests reach the log; those after
    ///   the last one have none.
    public init(script: [[Fault]] = []) {
        state = Mutex(State(faults: .script(script[...])))
    }

    /// Creates an empty log whose faults are chosen at random.
    ///
    /// - Parameters:
    ///   - faultRate: How likely an answer goes wrong, and how likely a notice does.
    ///   - random: Chooses the faults; a generator with a seed always chooses the same ones.
    public init(faultRate: Double, using random: some RandomNumberGenerator & Sendable) {
        state = Mutex(State(faults: .random(random, rate: faultRate)))
    }

    /// Connects one more member.
    public func connection() -> Connection {
        Connection(to: self, state.withLock { $0.connect() })
    }

    /// Moves the clock of the log forwards, by which it tells how old commits are.
    public func advance(by time: Duration) { state.withLock { $0.time += time } }

    /// All commits that the log has, in their order; those that it has forgotten are not among them.
    ///
    /// The bytes of their values come without faults, as long as the log has them.
    public var commits: [SharedCommit] {
        state.withLock(\.commits).map { commit in
            commit.fetching { [self] digest in
                guard let bytes = bytes[digest] else { throw Failure.valueForgotten }
                return bytes
            }
        }
    }

    /// The bytes of each value to which a commit or the base refers, by its digest.
    package var bytes: [String: Data] { state.withLock(\.values) }

    /// Delivers all that is late, and lets nothing go wrong any more but what is cut.
    public func settle() {
        update { state in
            state.faults = .script([])
            state.deliver(upTo: .max)
        }
    }

    /// Changes the state, and then tells those who are to be told: they may ask again at once.
    @discardableResult
    func update<Answer: Sendable>(_ change: (inout State) -> Answer) -> Answer {
        let (answer, calls) = state.withLock { state in
            let answer = change(&state)
            defer { state.calls = [] }
            return (answer, state.calls)
        }
        for (calls, number) in calls { calls.yield(number) }
        return answer
    }
}

extension MemorySharedLog {
    /// Why a request has no answer.
    public enum Failure: DescribedError, Equatable {
        /// The request did not reach the log.
        case notReached
        /// No answer came; the request may have its effect, now or later.
        case noAnswer
        /// No commit and no base refers to the value any more.
        case valueForgotten

        /// Which of them it was.
        public var description: String {
            switch self {
            case .notReached: "The request did not reach the shared log, as the test wants it."
            case .valueForgotten: "The shared log has no such value any more."
            case .noAnswer: "No answer came from the shared log, as the test wants it."
            }
        }
    }
}
