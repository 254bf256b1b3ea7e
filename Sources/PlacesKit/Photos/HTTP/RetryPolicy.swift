/// When and how often a request is tried again.
///
/// Only what can succeed later is tried again: lost connections, time-outs, statuses 408, 429 and 5xx, and
/// replies that say so themselves; a redirect without end is not. The n-th delay is `firstDelay` doubled n - 1 times, at most
/// `longestDelay`, of which a random half is left out so that clients do not return in step. If the
/// server says how long to wait, that is waited, and no less.
public struct RetryPolicy: Sendable {
    /// How often a request is sent at most.
    package var attempts: Int
    /// The delay before the second attempt.
    package var firstDelay: Duration
    /// The longest delay that is chosen without the server's asking for it.
    package var longestDelay: Duration
    /// How long one attempt may take; nil for the transport's own limit.
    package var attemptTime: Duration?
    /// How long all may take together, delays included; nil for no limit.
    package var totalTime: Duration?
    /// The clock that measures and delays.
    package var clock: any Clock<Duration>
    /// Gives numbers from 0 up to but not including 1, which say how much of a delay is left out.
    package var jitter: @Sendable () -> Double

    /// Creates a policy.
    public init(
        attempts: Int = 5, firstDelay: Duration = .milliseconds(500),
        longestDelay: Duration = .seconds(20), attemptTime: Duration? = .seconds(15),
        totalTime: Duration? = .seconds(60), clock: any Clock<Duration> = ContinuousClock(),
        jitter: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.attempts = attempts
        self.firstDelay = firstDelay
        self.longestDelay = longestDelay
        self.attemptTime = attemptTime
        self.totalTime = totalTime
        self.clock = clock
        self.jitter = jitter
    }

    /// One attempt without a limit on its time.
    public static var never: RetryPolicy {
        RetryPolicy(attempts: 1, attemptTime: nil, totalTime: nil)
    }

    /// How long to wait after so many attempts failed, the last one with this error.
    func delay(afterAttempt attempt: Int, error: PhotoSourceError) -> Duration {
        var delay = firstDelay
        for _ in 1..<max(1, min(attempt, 32)) where delay < longestDelay { delay *= 2 }
        delay = min(delay, longestDelay) * (1 - jitter() / 2)
        return max(delay, error.retryAfter ?? .zero)
    }
}
