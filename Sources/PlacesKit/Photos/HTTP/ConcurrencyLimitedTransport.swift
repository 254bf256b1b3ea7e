/// A transport that limits how many requests are under way at a time; others wait their turn.
package struct ConcurrencyLimitedTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let slots: TransferSlots

    /// Creates the layer on top of another transport.
    package init(_ base: any HTTPTransport, limit: Int) {
        self.base = base
        slots = TransferSlots(perHost: limit)
    }

    /// Waits for a turn and sends a request.
    package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        // All hosts share the turns.
        try await slots.run(host: "") { [base] in try await base.send(request) }
    }
}
