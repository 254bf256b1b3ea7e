import Foundation

/// Sends queries to Wikimedia Commons and fetches pictures, within the rates that Wikimedia allows.
///
/// The rates are those of https://www.mediawiki.org/wiki/Wikimedia_APIs/Rate_limits : 200 queries a
/// minute, three at a time, and ten pictures in ten seconds.
struct CommonsClient: Sendable {
    private static let endpoint = "https://commons.wikimedia.org/w/api.php"

    /// After how many replies a query ends that would go on.
    private static let longestContinuation = 10

    let language: String
    private let identity: CommonsIdentity
    private let limits: ReplyLimits
    private let queries: any HTTPTransport
    private let pictures: any HTTPTransport

    init(
        identity: CommonsIdentity, language: String, transport: any HTTPTransport,
        retry: RetryPolicy, budget: RequestBudget, limits: ReplyLimits
    ) {
        self.identity = identity
        self.language = language
        self.limits = limits
        queries = transport.layered(
            retry: retry, budget: budget, atOnce: 3, failure: { Self.failure(in: $1) })
        let pictureBudget = RequestBudget(
            limit: 10, per: .seconds(10), burst: 5, clock: retry.clock)
        pictures = transport.layered(retry: retry, budget: pictureBudget)
    }

    /// Sends a query and returns its reply.
    func query(_ parameters: CommonsQuery.Parameters) async throws -> CommonsReply {
        let fixed: CommonsQuery.Parameters = [
            ("action", "query"), ("format", "json"), ("formatversion", "2"),
            ("maxage", "600"), ("smaxage", "600"), ("iiextmetadatalanguage", language),
        ]
        let isAboutFiles = parameters.contains { $0.name == "prop" && $0.value.contains("image") }
        let query = PercentEncoding.query((isAboutFiles ? fixed : fixed.dropLast()) + parameters)
        let response = try await queries.send(
            to: Self.endpoint + "?" + query, headers: headers(accepting: "application/json"),
            upTo: limits.reply)
        if let failure = response.statusFailure { throw failure }
        return try CommonsReply(response)
    }

    /// Sends a query for pages, and returns them in the order of their first occurrence.
    ///
    /// What is too long for one reply continues in the next, in which the same pages have the rest.
    ///
    /// - Returns: The pages, and the parameters to add to the query to get those after them.
    func pages(
        _ parameters: CommonsQuery.Parameters
    ) async throws -> (pages: [CommonsPage], continuation: CommonsQuery.Parameters) {
        var pages: [CommonsPage] = []
        var positions: [String: Int] = [:]
        var continuation: CommonsQuery.Parameters = []
        for _ in 0..<Self.longestContinuation {
            let reply = try await query(parameters + continuation)
            for part in reply.pages {
                guard let identifier = part["pageid"].nonEmptyText else { continue }
                if let position = positions[identifier] {
                    pages[position].parts.append(part)
                } else {
                    positions[identifier] = pages.count
                    pages.append(CommonsPage(parts: [part]))
                }
            }
            continuation = reply.continuation
            if reply.isComplete || continuation.isEmpty { break }
        }
        return (pages, continuation)
    }

    /// Fetches a picture.
    func picture(at url: URL) async throws -> Data {
        let response = try await pictures.send(
            to: url.absoluteString, headers: headers(accepting: "image/*"), upTo: limits.picture)
        return try response.picture(named: "The picture \(url.lastPathComponent)")
    }

    /// What is wrong with a reply, as far as a first look can tell.
    private static func failure(in response: HTTPResponse) -> PhotoSourceError? {
        if let failure = response.statusFailure { return failure }
        guard response.mayBeFailure(upTo: 4_096, saying: "error") else { return nil }
        do {
            _ = try CommonsReply(response)
            return nil
        } catch {
            return error as? PhotoSourceError
        }
    }

    private func headers(accepting type: String) -> [String: String] {
        identity.headers.merging(["Accept": type]) { $1 }
    }
}
