import Synchronization

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// The transport over `URLSession`.
///
/// It accepts no more of a body than the request allows, counted after decompression. It follows
/// about twenty redirects, as `URLSession` does; their bodies have no limit, for `URLSession` does
/// not tell of them. All transports share one session unless they get a configuration of their own:
/// on Linux each session has its own threads.
public struct URLSessionTransport: HTTPTransport {
    private let sessions: Sessions

    /// Creates a transport; with a configuration it gets a session of its own.
    ///
    /// By default all transports share a session without cookies, cache or stored credentials,
    /// whose time-out is 15 seconds.
    public init(configuration: URLSessionConfiguration? = nil) {
        sessions = configuration.map(Sessions.init) ?? Self.shared
    }

    /// Sends one request and returns the reply, whatever its status.
    ///
    /// - Throws: `CancellationError` if the task was cancelled, `PhotoSourceError.notConnected` if
    ///   no reply arrived, `PhotoSourceError.tooManyRedirects` if redirects do not end,
    ///   `PhotoSourceError.malformedReply` if the reply is not HTTP, or redirects away from HTTPS,
    ///   where nothing is sent, `PhotoSourceError.tooLarge` if its body is longer than the request allows.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let session = sessions.current
        do {
            return try await session.send(request)
        } catch let error as PhotoSourceError {
            if case .tooLarge = error { sessions.replace(session) }
            throw error
        }
    }

    private static let shared: Sessions = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 15
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        return Sessions(configuration)
    }()
}

/// The session that transports share, until it has to be replaced.
///
/// NB: On Linux a session does nothing else while it decompresses what it has received of a body,
/// and a few kilobytes may become gigabytes. So after a body that was too long, further requests
/// use a new session.
private final class Sessions: Sendable {
    private let configuration: URLSessionConfiguration
    private let session: Mutex<GatheringSession>

    init(_ configuration: URLSessionConfiguration) {
        self.configuration = configuration
        session = Mutex(GatheringSession(configuration))
    }

    var current: GatheringSession { session.withLock { $0 } }

    func replace(_ old: GatheringSession) {
        session.withLock { session in
            if session === old { session = GatheringSession(configuration) }
        }
    }
}
