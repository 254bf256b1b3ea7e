public import Foundation
public import PlacesKit

/// An HTTP server on the loopback interface, for tests of what networks do to a photo source.
///
/// ```swift
/// let server = try LoopbackServer { request in
///     request.number == 1 ? .status(429, headers: ["Retry-After": "1"]) : .json(#"{"stat":"ok"}"#)
/// }
/// let flickr = FlickrPhotoSource(key: "test", transport: server.transport())
/// ```
///
/// One thread serves all connections. The server stops when its last reference is released; its transports hold one each.
public final class LoopbackServer: Sendable {
    /// A request that arrived.
    public struct Request: Sendable {
        /// Its number among all requests, from 1.
        public let number: Int
        /// The path with the query, as it was sent.
        public let target: String
        /// The header fields, by lower-case names.
        public let headers: [String: String]

        /// The decoded value of a query parameter, or nil if it is missing.
        public func queryValue(_ name: String) -> String? {
            URLComponents(string: target)?.queryItems?.first { $0.name == name }?.value
        }
    }

    /// The port it listens on.
    public let port: UInt16
    private let loop: LoopbackLoop

    /// Starts a server.
    ///
    /// - Parameter answer: Returns the reply; called on the server's thread, one request at a time.
    /// - Throws: `POSIXError` if no port is available.
    public init(_ answer: @escaping @Sendable (Request) -> LoopbackReply) throws {
        let loop = try LoopbackLoop(answer)
        self.loop = loop
        port = loop.port
        Thread.detachNewThread { loop.run() }
    }

    deinit {
        loop.stop()
    }

    /// How many requests arrived so far.
    package var requestCount: Int { loop.statistics.requests }

    /// How many connections were made so far.
    package var connectionCount: Int { loop.statistics.connections }

    /// How many connections are open.
    package var openConnectionCount: Int { loop.statistics.open }

    /// The address of a path on this server.
    public func url(_ path: String) -> URL? {
        URL(string: "http://127.0.0.1:\(port)\(path)")
    }

    /// A transport that sends all requests to this server, whatever server they are meant for.
    ///
    /// - Parameter base: The transport that carries them; real sockets by default.
    /// - Returns: The transport.
    public func transport(over base: any HTTPTransport = URLSessionTransport()) -> any HTTPTransport
    {
        LoopbackTransport(base: base, server: self)
    }

    /// Stops answering and closes all connections; new ones are refused.
    public func stop() {
        loop.stop()
    }
}

/// Sends requests to a port of this machine instead of their own server.
private struct LoopbackTransport: HTTPTransport {
    let base: any HTTPTransport
    let server: LoopbackServer

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        var request = request
        var components = URLComponents(url: request.url, resolvingAgainstBaseURL: false)
        components?.scheme = "http"
        components?.host = "127.0.0.1"
        components?.port = Int(server.port)
        guard let url = components?.url else {
            throw PhotoSourceError.invalidRequest(reason: "\(request) has no address")
        }
        request.url = url
        return try await base.send(request)
    }
}
