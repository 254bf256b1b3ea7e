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
        var layers: any HTTPTransport = limitingBodies
        if let time = retry.attemptTime {
            layers = layers.limitingTime(to: time, on: retry.clock)
        }
        if let limit { layers = layers.limitingRequests(to: limit) }
        if let budget { layers = layers.spending(budget) }
        return CoalescingTransport(
            RetryingTransport(layers, policy: retry, failure: failure ?? { $1.statusFailure }))
    }

    /// Never returns a body longer than its request allows, even if this does.
    private var limitingBodies: TransportLayer {
        TransportLayer { request in
            let response = try await send(request)
            guard response.body.count <= request.bodyLimit else {
                throw PhotoSourceError.tooLarge(limit: request.bodyLimit)
            }
            return response
        }
    }

    /// Limits how long a request may take, however slowly its bytes arrive.
    ///
    /// This must end soon when its task is cancelled.
    package func limitingTime(
        to limit: Duration, on clock: any Clock<Duration> = ContinuousClock()
    ) -> some HTTPTransport {
        TransportLayer { request in
            try await clock.limit(to: limit) { try await send(request) }
        }
    }

    /// Limits how many requests are under way at a time; others wait their turn.
    package func limitingRequests(to limit: Int) -> some HTTPTransport {
        let slots = TransferSlots(perHost: limit)
        // All hosts share the turns.
        return TransportLayer { request in
            try await slots.run(host: "") { try await send(request) }
        }
    }

    /// Takes a token from a budget before each request.
    package func spending(_ budget: RequestBudget) -> some HTTPTransport {
        TransportLayer { request in
            try await budget.take()
            return try await send(request)
        }
    }
}

/// What is done before or after another transport sends a request.
private struct TransportLayer: HTTPTransport {
    let answer: @Sendable (HTTPRequest) async throws -> HTTPResponse

    func send(_ request: HTTPRequest) async throws -> HTTPResponse { try await answer(request) }
}
