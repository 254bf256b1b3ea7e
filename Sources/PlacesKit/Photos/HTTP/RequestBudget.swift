import Synchronization

/// How many requests a service allows: a bucket of tokens, from which each request takes one.
///
/// The bucket holds `burst` tokens, and is refilled at a rate that never allows more requests than
/// the limit within any span of one period. Requests get tokens in the order in which they ask, and
/// a waiting request blocks no thread. If one is cancelled, those behind it move up. All users of the
/// same key share one budget.
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
        /// How many requests have taken a token.
        var used = 0
        /// How many requests wait for theirs.
        var waiting = 0
        /// The moment at which the bucket would be full again if nobody waited.
        var full = Duration.zero
    }

    private let interval: Duration
    private let tolerance: Duration
    private let longestWait: Duration
    private let clock: any Clock<Duration>
    private let stopwatch: Stopwatch
    private let account = Mutex(Account())
    /// Who waits for the next token; others wait behind.
    private let turns = TransferSlots(perHost: 1)

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
        let (used, full) = account.withLock {
            ($0.used + $0.waiting, max($0.full, now) + interval * $0.waiting)
        }
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
        guard try !takeIfFree() else { return }
        do {
            try await turns.run(host: "") {
                let wait = untilNextToken
                if wait > .zero { try await clock.pause(for: wait) }
                let now = stopwatch.elapsed
                account.withLock { account in
                    account.waiting -= 1
                    spend(from: &account, at: now)
                }
            }
        } catch {
            account.withLock { $0.waiting -= 1 }
            throw error
        }
    }

    /// Takes a token that nobody else waits for, else joins those who wait.
    private func takeIfFree() throws(PhotoSourceError) -> Bool {
        let now = stopwatch.elapsed
        let (isFree, wait) = account.withLock { account -> (Bool, Duration) in
            let wait = max(account.full, now) + interval * account.waiting - tolerance - now
            let isFree = account.waiting == 0 && wait <= .zero
            if isFree {
                spend(from: &account, at: now)
            } else if wait <= longestWait {
                account.waiting += 1
            }
            return (isFree, wait)
        }
        guard wait <= longestWait else { throw .budgetExhausted(retryAfter: wait) }
        return isFree
    }

    private var untilNextToken: Duration {
        let now = stopwatch.elapsed
        return account.withLock { max($0.full, now) } - tolerance - now
    }

    private func spend(from account: inout Account, at now: Duration) {
        account.full = max(account.full, now) + interval
        account.used += 1
    }
}
