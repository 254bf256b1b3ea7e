/// Sends requests to a server and returns the replies.
///
/// A photo source sends all its requests through one transport, so that a test, a cache or a
/// recorder can replace it.
public protocol HTTPTransport: Sendable {
    /// Sends one request and returns the reply, whatever its status.
    ///
    /// A transport stops receiving a body that exceeds the request's `bodyLimit`. If it cannot, the
    /// sources refuse the body after it has arrived.
    ///
    /// - Throws: `CancellationError` if the task was cancelled, `PhotoSourceError` if no reply
    ///   arrived.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse
}
