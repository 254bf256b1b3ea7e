import Synchronization

/// How many requests a service allows: a bucket of tokens, from which each request takes one.
///
/// The bucket holds `burst` tokens, and is refilled at a rate that never allows more requests than
/// the limit within any span of one period. Requests get tokens in the order in which they ask, and
/// a waiting request blocks no thread. All users of the same key share one budget.
public final class RequestBudget: Sendable {
    /// What is left of a budget at one moment.
    public struct State: Sendable, Hashable {
        /// How many requests were allowed so far.
        public let used: Int
        /// How many requests could be sent now without waiting.
        public let remaining: Int
        /// How long a request would have to wait now.
        public let wait: Duration
        /// How long until the bucket is full again, if nothing is sent.
        public let fullAfter: Duration
    }

    private struct Account {
        var used = 0
        /// The moment at which the bucket would be full again.
        var full = Duration.zero
    }

    private let interval: Duration
    private let tolerance: Duration
    private let longestWait: Duration
    private let clock: any Clock<Duration>
    private let stopwatch: Stopwatch
    private let account = Mutex(Account())

    /// Creates a full bucket.
    ///
    /// - Parameters:
    ///   - limit: How many requests are allowed in a period.
    ///   - period: The length of a period.
    ///   - burst: How many requests may come at once, less than the limit; a sixth of it by
    ///     default.
    ///   - longestWait: The longest time that a request waits for its token; if it had to wait
    ///     longer, it fails.
    ///   - clock: The clock that measures time and waits.
    public init(
        limit: Int, per period: Duration, burst: Int? = nil,
        longestWait: Duration = .seconds(30), clock: any Clock<Duration> = ContinuousClock()
    ) {
        // No product of these overflows, and what a budget without a limit says can be counted.
        let limit = max(2, limit)
        let burst = max(1, min(burst ?? limit / 6, limit - 1, 1_000_000))
        interval = max(.nanoseconds(1), min(period, .seconds(1_000_000_000)) / (limit - burst))
        tolerance = interval * (burst - 1)
        self.longestWait = longestWait
        self.clock = clock
        stopwatch = Stopwatch(clock)
    }

    /// What is left now.
    public var state: State {
        let now = stopwatch.elapsed
        let (used, full) = account.withLock { ($0.used, max($0.full, now)) }
        let credit = now + tolerance - full
        return State(
            used: used,
            remaining: credit < .zero ? 0 : Int(credit / interval) + 1,
            wait: max(.zero, .zero - credit),
            fullAfter: full - now)
    }

    /// Takes a token, and waits for it if necessary.
    ///
    /// - Throws: `PhotoSourceError.budgetExhausted` at once if the wait would be too long;
    ///   `CancellationError`, which returns the token.
    public func take() async throws {
        try Task.checkCancellation()
        let wait = try reserve()
        guard wait > .zero else { return }
        do {
            try await clock.sleep(for: wait)
        } catch {
            account.withLock {
                $0.used -= 1
                $0.full -= interval
            }
            throw error
        }
    }

    /// Reserves the next token, and returns the time until it is available.
    private func reserve() throws(PhotoSourceError) -> Duration {
        let now = stopwatch.elapsed
        let wait = account.withLock { account -> Duration in
            let full = max(account.full, now)
            let wait = full - tolerance - now
            if wait <= longestWait {
                account.full = full + interval
                account.used += 1
            }
            return wait
        }
        guard wait <= longestWait else { throw .budgetExhausted(retryAfter: wait) }
        return wait
    }
}
