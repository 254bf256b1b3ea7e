/// What carries requests to a server and brings back the replies.
///
/// A photo source does all its traffic through one transport, so that a test, a cache or a recorder can
/// take its place.
public protocol HTTPTransport: Sendable {
    /// Sends one request and returns the reply, whatever its status.
    ///
    /// A transport stops taking in a body that grows beyond the request's `bodyLimit`; where it cannot, the
    /// sources refuse the body when it has come.
    ///
    /// - Throws: `CancellationError` if the task was cancelled, `PhotoSourceError` if no reply arrived.
    func send(_ request: HTTPRequest) async throws -> HTTPResponse
}
