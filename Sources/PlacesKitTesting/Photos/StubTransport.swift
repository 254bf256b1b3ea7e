import Foundation
public import PlacesKit
import Synchronization

/// A transport without a network: it answers according to a script and records the requests.
///
/// It identifies a request by the query parameter `method`, as Flickr's requests have, or else by
/// the whole address:
///
/// ```swift
/// let transport = StubTransport()
/// transport.answer("flickr.photos.search", json: #"{"photos":{"photo":[]},"stat":"ok"}"#)
/// let flickr = FlickrPhotoSource(key: "test", transport: transport)
/// ```
///
/// A request without an answer fails like one without a connection. One in a cancelled task throws
/// `CancellationError`, and leaves its answer to the next.
public final class StubTransport: HTTPTransport {
    private struct State {
        var requests: [HTTPRequest] = []
        var scripts: [String: Script<HTTPResponse>] = [:]
    }

    private let state = Mutex(State())

    /// Creates a transport without answers.
    public init() {}

    /// The requests made so far, in order.
    public var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// The methods or addresses of the requests made so far, in order.
    public var methods: [String] { requests.map(Self.method) }

    /// Adds an answer for a method or address; the last answer is repeated forever.
    public func answer(_ method: String, _ reply: ScriptedReply<HTTPResponse>) {
        state.withLock { $0.scripts[method, default: Script()].append(reply) }
    }

    /// Adds a successful answer with a JSON body for a method or address.
    public func answer(_ method: String, json: String) {
        let headers = ["Content-Type": "application/json"]
        answer(method, .value(HTTPResponse(headers: headers, body: Data(json.utf8))))
    }

    /// Returns the next scripted response for the request.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let method = Self.method(of: request)
        let reply = try state.withLock { state in
            state.requests.append(request)
            try Task.checkCancellation()
            return state.scripts[method]?.next()
        }
        guard let reply else {
            let asked = request.queryValue("method") ?? "\(request)"
            throw PhotoSourceError.notConnected(reason: "no answer is scripted for \(asked)")
        }
        return try await reply.resolve()
    }

    private static func method(of request: HTTPRequest) -> String {
        request.queryValue("method") ?? request.url.absoluteString
    }
}
