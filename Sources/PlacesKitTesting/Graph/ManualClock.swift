import Synchronization

/// A clock that a test moves, so that no test has to wait for real time.
///
/// A task that sleeps on it sleeps until `advance(by:)` has moved the clock far enough. An
/// immediate clock moves by itself to the end of each sleep, and records the length of the sleep.
///
/// A time limit is a sleep, too, and is over at once on an immediate clock. So give a `RetryPolicy`
/// with such a clock none: `RetryPolicy(attemptTime: nil, totalTime: nil, clock: clock)`.
public final class ManualClock: Clock {
    /// A moment on the clock.
    public struct Instant: InstantProtocol {
        /// The time since the clock was created.
        public var offset: Duration

        /// The moment that is later by a duration.
        public func advanced(by duration: Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        /// The time from this moment to another.
        public func duration(to other: Instant) -> Duration {
            other.offset - offset
        }

        /// Compares moments by time.
        public static func < (lhs: Instant, rhs: Instant) -> Bool {
            lhs.offset < rhs.offset
        }
    }

    private final class Sleeper: Sendable {
        let deadline: Instant
        let continuation: AsyncStream<Void>.Continuation

        init(until deadline: Instant, _ continuation: AsyncStream<Void>.Continuation) {
            (self.deadline, self.continuation) = (deadline, continuation)
        }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers: [Sleeper] = []
        var sleeps: [Duration] = []
        var watchers: [(count: Int, continuation: AsyncStream<Void>.Continuation)] = []
    }

    private let state = Mutex(State())
    private let isImmediate: Bool

    /// Creates a clock that stands still.
    ///
    /// - Parameter isImmediate: Whether each sleep moves the clock instead of waiting.
    public init(isImmediate: Bool = false) {
        self.isImmediate = isImmediate
    }

    /// The present moment.
    public var now: Instant { state.withLock { $0.now } }

    /// The smallest duration that the clock distinguishes: any.
    public var minimumResolution: Duration { .zero }

    /// The lengths of all sleeps so far, in the order in which they began.
    public var sleeps: [Duration] { state.withLock { $0.sleeps } }

    /// Sleeps until the clock is moved to a moment, or past it.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let sleeper = Sleeper(until: deadline, continuation)
        // Whoever cancels it finds at once that it does not sleep any more.
        await withTaskCancellationHandler {
            begin(sleeper)
            for await _ in stream {}
        } onCancel: {
            state.withLock { state in state.sleepers.removeAll { $0 === sleeper } }
        }
        try Task.checkCancellation()
    }

    /// Moves the clock, and wakes the tasks that slept until then.
    public func advance(by duration: Duration) {
        let awake = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let now = state.now
            let awake = state.sleepers.filter { $0.deadline <= now }
            state.sleepers.removeAll { $0.deadline <= now }
            return awake
        }
        for sleeper in awake { sleeper.continuation.finish() }
    }

    /// Returns when `count` tasks sleep on the clock, or when the task that waits is cancelled.
    public func waitForSleepers(_ count: Int = 1) async {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let isReached = state.withLock { state in
            if state.sleepers.count >= count { return true }
            state.watchers.append((count, continuation))
            return false
        }
        if isReached { return }
        for await _ in stream {}
    }

    private func begin(_ sleeper: Sleeper) {
        let finished = state.withLock { state in
            state.sleeps.append(state.now.duration(to: sleeper.deadline))
            if isImmediate { state.now = max(state.now, sleeper.deadline) }
            guard state.now < sleeper.deadline, !Task.isCancelled else {
                return [sleeper.continuation]
            }
            state.sleepers.append(sleeper)
            let count = state.sleepers.count
            let reached = state.watchers.filter { $0.count <= count }.map(\.continuation)
            state.watchers.removeAll { $0.count <= count }
            return reached
        }
        for continuation in finished { continuation.finish() }
    }
}
