/// A transport that makes one transfer for all equal requests that are under way at the same time.
///
/// A cancelled caller returns at once. The transfer continues for the others, and is cancelled when
/// its last caller is.
package struct CoalescingTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let transfers = SharedWork<HTTPRequest, HTTPResponse>()

    /// Creates the layer on top of another transport.
    package init(_ base: any HTTPTransport) {
        self.base = base
    }

    /// How many transfers are under way.
    package var transferCount: Int { transfers.count }

    /// Sends a request, or waits for the reply to an equal one.
    package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await transfers.value(for: request) { [base] in try await base.send(request) }
    }
}
