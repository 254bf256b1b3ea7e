/// When and how often a request is tried again.
///
/// A request is tried again only if it can succeed later: after lost connections, time-outs,
/// statuses 408, 429 and 5xx, and replies that say so themselves. Endless redirects are not tried
/// again. The n-th delay is `firstDelay` doubled n - 1 times, at most `longestDelay`. Up to half of
/// it, chosen at random, is left out, so that clients do not all return at once. If the server asks
/// for a longer delay, the request waits that long, but no more than an hour if nothing else limits
/// the time. Times of more than thirty years count as thirty.
///
/// While a server asks for a delay, or says that it gets too many requests, no request goes to its
/// host.
public struct RetryPolicy: Sendable {
    package var attempts: Int
    package var firstDelay: Duration
    package var longestDelay: Duration
    package var attemptTime: Duration?
    package var totalTime: Duration?
    package var clock: any Clock<Duration>
    package var jitter: @Sendable () -> Double
    /// The longest delay for which a server may ask where nothing limits the time.
    static let longestWish = Duration.seconds(3_600)

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - attempts: How often a request is sent at most, the first time included.
    ///   - firstDelay: The delay before the second attempt.
    ///   - longestDelay: The longest delay, unless the server asks for a longer one.
    ///   - attemptTime: How long one attempt may take; nil for the transport's own limit.
    ///   - totalTime: How long all attempts and delays may take together; nil for no limit.
    ///   - clock: The clock that measures time and waits.
    ///   - jitter: Returns numbers from 0 up to but not including 1: how much of half a delay is left out.
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

    /// One attempt, without a time limit.
    public static var never: RetryPolicy {
        RetryPolicy(attempts: 1, attemptTime: nil, totalTime: nil)
    }

    /// How long to wait after this many failed attempts, the last of them with this error.
    func delay(afterAttempt attempt: Int, error: PhotoSourceError) -> Duration {
        var delay = firstDelay
        for _ in 1..<max(1, min(attempt, 32)) where delay < longestDelay { delay *= 2 }
        delay = min(delay, longestDelay)
        // What is multiplied may be rounded up.
        delay = min(delay, delay * (1 - jitter() / 2))
        return max(delay, error.retryAfter ?? .zero)
    }

    /// Whether a delay that begins after so much time is short enough to wait for.
    func allows(_ delay: Duration, after elapsed: Duration) -> Bool {
        guard let totalTime else { return delay <= max(longestDelay, Self.longestWish) }
        return elapsed + delay < totalTime
    }
}
