import Foundation

/// Calls methods of the Flickr REST API and fetches pictures, and turns every failure into the errors a
/// photo source may throw.
struct FlickrClient: Sendable {
    static let endpoint = "https://api.flickr.com/services/rest/"

    let key: FlickrKey
    let userAgent: String
    private let limits: ReplyLimits
    /// Carries calls of methods, which count against the key's budget.
    private let methods: any HTTPTransport
    /// Carries pictures, which do not.
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
        let limited = BodyLimitedTransport(transport)
        let attempt: any HTTPTransport =
            retry.attemptTime.map {
                TimeLimitedTransport(limited, limit: $0, clock: retry.clock)
            } ?? limited
        methods = CoalescingTransport(
            RetryingTransport(
                RateLimitedTransport(attempt, budget: budget), policy: retry,
                failure: { Self.failure(in: $1) }))
        pictures = CoalescingTransport(RetryingTransport(attempt, policy: retry))
    }

    /// What is wrong with a reply, as far as it can be told without reading all of it.
    ///
    /// Flickr reports its errors with status 200, in a few bytes; its front end does so with a web page.
    private static func failure(in response: HTTPResponse) -> PhotoSourceError? {
        if let failure = response.statusFailure { return failure }
        guard response.isHTML || response.body.count < 1_024 else { return nil }
        do {
            _ = try FlickrReply(body: response.body, method: "flickr.photos.search")
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
        let response = try await send(
            endpoint + "?" + PercentEncoding.query(fixed + parameters),
            accepting: "application/json", upTo: limits.reply, over: methods)
        do {
            return try FlickrReply(body: response.body, method: method)
        } catch PhotoSourceError.service(var failure) {
            failure.message = key.redacted(failure.message)
            throw PhotoSourceError.service(failure)
        }
    }

    /// Fetches a picture.
    ///
    /// - Throws: `PhotoSourceError.gone` also if the server sends the placeholder for removed photos, which
    ///   it does by a redirect and with status 200.
    func picture(at url: URL) async throws -> Data {
        let name = "The picture \(url.lastPathComponent)"
        let response: HTTPResponse
        do {
            response = try await send(
                url.absoluteString, accepting: "image/*", upTo: limits.picture, over: pictures)
        } catch PhotoSourceError.http(status: 404, _), PhotoSourceError.http(status: 410, _) {
            throw PhotoSourceError.gone(what: name)
        }
        return try response.picture(named: name)
    }

    private func send(
        _ address: String, accepting type: String, upTo bodyLimit: Int,
        over transport: any HTTPTransport
    ) async throws -> HTTPResponse {
        guard let url = URL(string: address), url.scheme == "https", url.host() != nil else {
            throw PhotoSourceError.invalidRequest(
                reason: "\(key.redacted(address)) is not an https address")
        }
        let request = HTTPRequest(
            url: url, headers: ["User-Agent": userAgent, "Accept": type], bodyLimit: bodyLimit)
        let response: HTTPResponse
        do {
            try Task.checkCancellation()
            response = try await transport.send(request)
        } catch {
            throw sourceError(error)
        }
        if let failure = response.statusFailure { throw failure }
        return response
    }

    private func sourceError(_ error: any Error) -> any Error {
        guard case PhotoSourceError.notConnected(let reason) = error else {
            return PhotoSourceError.passing(on: error)
        }
        return PhotoSourceError.notConnected(reason: key.redacted(reason))
    }
}
