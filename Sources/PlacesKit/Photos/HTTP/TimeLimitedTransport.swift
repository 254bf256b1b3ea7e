/// A transport that limits how long a request may take, however slowly its bytes arrive.
package struct TimeLimitedTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let limit: Duration
    private let clock: any Clock<Duration>

    /// Creates the layer on top of another transport, which must end soon when its task is cancelled.
    package init(
        _ base: any HTTPTransport, limit: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.base = base
        self.limit = limit
        self.clock = clock
    }

    /// Sends a request.
    ///
    /// - Throws: `PhotoSourceError.timedOut`, or what the transport below throws.
    package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await clock.limit(to: limit) { try await base.send(request) }
    }
}
