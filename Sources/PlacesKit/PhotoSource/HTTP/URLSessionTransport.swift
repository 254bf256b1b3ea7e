#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// The transport over `URLSession`.
///
/// All transports share one session unless given their own: on Linux a session keeps threads of its own.
public struct URLSessionTransport: HTTPTransport {
    private let session: URLSession

    /// Creates a transport over a session; by default one without cookies, cache or stored credentials,
    /// with a time-out of 15 seconds.
    public init(session: URLSession? = nil) {
        self.session = session ?? Self.shared
    }

    /// Sends one request and returns the reply, whatever its status.
    ///
    /// - Throws: `CancellationError` if the task was cancelled, `PhotoSourceError.notConnected` if no reply
    ///   arrived, `PhotoSourceError.malformedReply` if it is not HTTP or was redirected away from HTTPS.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try Task.checkCancellation()
        var urlRequest = URLRequest(url: request.url)
        for (name, value) in request.headers {
            urlRequest.setValue(value, forHTTPHeaderField: name)
        }
        let (body, response): (Data, URLResponse)
        do {
            (body, response) = try await session.data(for: urlRequest)
        } catch {
            throw Self.transportError(error)
        }
        guard let response = response as? HTTPURLResponse else {
            throw PhotoSourceError.malformedReply(what: "the reply is not HTTP", position: nil)
        }
        if request.url.scheme == "https", let scheme = response.url?.scheme, scheme != "https" {
            throw PhotoSourceError.malformedReply(
                what: "the server redirected to an insecure address", position: nil)
        }
        var headers: [String: String] = [:]
        for case (let name as String, let value as String) in response.allHeaderFields {
            headers[name] = value
        }
        return HTTPResponse(
            status: response.statusCode, headers: headers, body: body, url: response.url)
    }

    /// What an error of `URLSession` is to callers.
    ///
    /// NB: On Linux a cancelled task makes `URLSession` throw `URLError.cancelled`. An `URLError` also
    /// carries the address it failed for, key and all, so only its message and code are kept.
    private static func transportError(_ error: any Error) -> any Error {
        if error is CancellationError || Task.isCancelled { return CancellationError() }
        guard let error = error as? URLError else {
            return PhotoSourceError.notConnected(reason: "\(type(of: error))")
        }
        if error.code == .cancelled { return CancellationError() }
        return PhotoSourceError.notConnected(
            reason: "\(error.localizedDescription), error \(error.errorCode)")
    }

    private static let shared: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 15
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        return URLSession(configuration: configuration)
    }()
}
