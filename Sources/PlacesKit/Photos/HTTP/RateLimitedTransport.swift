/// A transport that takes a token from a budget before each request.
package struct RateLimitedTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let budget: RequestBudget

    /// Creates the layer on top of another transport.
    package init(_ base: any HTTPTransport, budget: RequestBudget) {
        self.base = base
        self.budget = budget
    }

    /// Takes a token and sends a request.
    ///
    /// - Throws: `PhotoSourceError.budgetExhausted`, or what the transport below throws.
    package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await budget.take()
        return try await base.send(request)
    }
}
