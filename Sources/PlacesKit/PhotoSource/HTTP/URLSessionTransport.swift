import Dispatch

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
        let isSecure = request.url.scheme == "https"
        let waiter = Waiter<HTTPResponse>()
        let task = session.dataTask(with: urlRequest) { body, response, error in
            waiter.finish(
                error.map { .failure(Self.failure($0)) }
                    ?? Self.result(body ?? Data(), response, isSecure: isSecure))
        }
        // NB: The async methods of `URLSession` can deadlock on Linux: they cancel inside the cancellation
        // handler, which waits for the queue of the session, on which a reply may just be waiting for the
        // handler. So the caller is answered here, and the transfer is ended from another queue.
        return try await withTaskCancellationHandler {
            task.resume()
            return try await waiter.result()
        } onCancel: {
            guard waiter.finish(.failure(CancellationError())) else { return }
            Self.cancellations.async { task.cancel() }
        }
    }

    private static func result(
        _ body: Data, _ response: URLResponse?, isSecure: Bool
    ) -> Result<HTTPResponse, any Error> {
        guard let response = response as? HTTPURLResponse else {
            return .failure(
                PhotoSourceError.malformedReply(what: "the reply is not HTTP", position: nil))
        }
        if isSecure, let scheme = response.url?.scheme, scheme != "https" {
            return .failure(
                PhotoSourceError.malformedReply(
                    what: "the server redirected to an insecure address", position: nil))
        }
        var headers: [String: String] = [:]
        for case (let name as String, let value as String) in response.allHeaderFields {
            headers[name] = value
        }
        return .success(
            HTTPResponse(
                status: response.statusCode, headers: headers, body: body, url: response.url))
    }

    /// What an error of `URLSession` is to callers.
    ///
    /// It carries the address it failed for, key and all, so only its message and code are kept.
    private static func failure(_ error: any Error) -> PhotoSourceError {
        guard let error = error as? URLError else {
            return .notConnected(reason: "\(type(of: error))")
        }
        return .notConnected(reason: "\(error.localizedDescription), error \(error.errorCode)")
    }

    private static let cancellations = DispatchQueue(label: "PlacesKit.URLSessionTransport")

    private static let shared: URLSession = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 15
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        return URLSession(configuration: configuration)
    }()
}
