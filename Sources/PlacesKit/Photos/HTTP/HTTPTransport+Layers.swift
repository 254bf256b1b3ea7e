extension HTTPTransport {
    /// Adds layers for bad networks: equal requests share a transfer, and failures are tried again.
    ///
    /// - Parameters:
    ///   - retry: When and how often to try again, and how long that may take.
    ///   - budget: The budget that each attempt takes a token from; none by default.
    ///   - limit: How many requests may be under way at a time; any number by default.
    ///   - failure: What is wrong with a reply, for services that report failures with status 200.
    ///     By default any status other than success is a failure.
    /// - Returns: A transport that ends a call when its task is cancelled, and refuses a body that
    ///   is longer than its request allows.
    public func layered(
        retry: RetryPolicy = RetryPolicy(), budget: RequestBudget? = nil, atOnce limit: Int? = nil,
        failure: (@Sendable (HTTPRequest, HTTPResponse) -> PhotoSourceError?)? = nil
    ) -> any HTTPTransport {
        var layers: any HTTPTransport = BodyLimitedTransport(self)
        if let time = retry.attemptTime {
            layers = TimeLimitedTransport(layers, limit: time, clock: retry.clock)
        }
        if let limit { layers = ConcurrencyLimitedTransport(layers, limit: limit) }
        if let budget { layers = RateLimitedTransport(layers, budget: budget) }
        return CoalescingTransport(
            RetryingTransport(layers, policy: retry, failure: failure ?? { $1.statusFailure }))
    }
}
