import Foundation

/// Calls methods of the Flickr REST API and fetches pictures.
///
/// It turns every failure into an error that a photo source may throw.
struct FlickrClient: Sendable {
    static let endpoint = "https://api.flickr.com/services/rest/"

    let key: FlickrKey
    let userAgent: String
    private let limits: ReplyLimits
    /// Sends calls of methods, which count against the key's budget.
    private let methods: any HTTPTransport
    /// Fetches pictures, which do not count.
    private let pictures: any HTTPTransport
    private let endpoint: String

    init(
        key: FlickrKey, userAgent: String, transport: any HTTPTransport, retry: RetryPolicy,
        budget: RequestBudget, limits: ReplyLimits = ReplyLimits(),
        endpoint: String = Self.endpoint
    ) {
        self.key = key
        self.userAgent = userAgent
        self.limits = limits
        self.endpoint = endpoint
        methods = transport.layered(
            retry: retry, budget: budget, failure: { Self.failure(in: $1, to: $0) })
        pictures = transport.layered(retry: retry)
    }

    /// What is wrong with a reply, as far as a first look can tell.
    ///
    /// Flickr reports its errors with status 200, mostly in a few bytes. Its web servers do so with a
    /// web page.
    private static func failure(
        in response: HTTPResponse, to request: HTTPRequest
    ) -> PhotoSourceError? {
        if let failure = response.statusFailure { return failure }
        guard response.mayBeFailure(upTo: 1_024, saying: "fail") else { return nil }
        do {
            _ = try FlickrReply(
                body: response.body, method: request.queryValue("method") ?? "")
            return nil
        } catch {
            return error as? PhotoSourceError
        }
    }

    /// Calls a method and returns its reply.
    func call(
        _ method: String, _ parameters: [(name: String, value: String)]
    ) async throws -> FlickrReply {
        guard !key.value.isEmpty else { throw FlickrKey.missing }
        let fixed = [
            (name: "method", value: method), (name: "api_key", value: key.value),
            (name: "format", value: "json"), (name: "nojsoncallback", value: "1"),
        ]
        return try await keepingKeySecret {
            let response = try await methods.send(
                to: endpoint + "?" + PercentEncoding.query(fixed + parameters),
                headers: headers(accepting: "application/json"), upTo: limits.reply)
            if let failure = response.statusFailure { throw failure }
            return try FlickrReply(body: response.body, method: method)
        }
    }

    /// Calls a method about one photo.
    ///
    /// - Throws: `PhotoSourceError.gone` if it was deleted.
    func call(_ method: String, aboutPhoto identifier: String) async throws -> FlickrReply {
        do {
            return try await call(method, [("photo_id", identifier)])
        } catch PhotoSourceError.service(let failure)
            where failure.code == "\(FlickrErrorCode.notFound)"
        {
            throw PhotoSourceError.gone(what: "The photo \(identifier)")
        }
    }

    /// Fetches a picture.
    ///
    /// - Throws: `PhotoSourceError.gone`, also if the server redirects to the placeholder for
    ///   removed photos and sends it with status 200.
    func picture(at url: URL) async throws -> Data {
        let name = "The picture \(url.lastPathComponent)"
        return try await keepingKeySecret {
            do {
                return try await pictures.send(
                    to: url.absoluteString, headers: headers(accepting: "image/*"),
                    upTo: limits.picture
                ).picture(named: name)
            } catch PhotoSourceError.http(status: 404, _), PhotoSourceError.http(status: 410, _) {
                throw PhotoSourceError.gone(what: name)
            }
        }
    }

    private func headers(accepting type: String) -> [String: String] {
        ["User-Agent": userAgent, "Accept": type]
    }

    /// Removes the key from the errors of `body`.
    ///
    /// Flickr, servers on the way and any transport may quote it.
    private func keepingKeySecret<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as PhotoSourceError {
            throw error.mapTexts(key.redacted)
        }
    }
}

extension FlickrClient: CustomReflectable {
    /// Leaves out the transports, which may contain the key themselves.
    var customMirror: Mirror { Mirror(self, children: ["key": key, "userAgent": userAgent]) }
}
