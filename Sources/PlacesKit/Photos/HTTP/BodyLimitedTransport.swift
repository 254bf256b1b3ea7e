/// A transport that never returns a body longer than its request allows, even if its base does.
package struct BodyLimitedTransport: HTTPTransport {
    private let base: any HTTPTransport

    /// Creates the layer on top of another transport.
    package init(_ base: any HTTPTransport) {
        self.base = base
    }

    /// Sends a request.
    ///
    /// - Throws: `PhotoSourceError.tooLarge`, or what the transport below throws.
    package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let response = try await base.send(request)
        guard response.body.count <= request.bodyLimit else {
            throw PhotoSourceError.tooLarge(limit: request.bodyLimit)
        }
        return response
    }
}
