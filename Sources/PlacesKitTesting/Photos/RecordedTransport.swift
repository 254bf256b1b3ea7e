public import Foundation
public import PlacesKit

/// A transport that asks the network once, and replays what came for ever.
///
/// ```swift
/// let transport = RecordedTransport(
///     folder: folder, recording: URLSessionTransport(), secrets: [key])
/// let flickr = FlickrPhotoSource(key: key, transport: transport)
/// ```
///
/// Every reply lies in a file of its own in the folder, named after its request, such as
/// `flickr.photos.search-place_id-abc-page-2.json`. Secrets are taken out of requests and replies before they are
/// written, in whatever case and encoding they stand there, so a recording can be published, and replayed
/// with another key. Without a transport to record from, a request that was never recorded fails. Failures to
/// connect are not recorded. One process at a time records in a folder.
public struct RecordedTransport: HTTPTransport {
    /// A reply as it is written.
    private struct Reply: Codable {
        let status: Int
        let headers: [String: String]
        let url: URL?
        let body: Data
    }

    /// Header fields that say something of the reply; others may say something of the client.
    private static let keptHeaders: Set<String> = ["content-type", "retry-after", "date"]

    private let folder: RecordingFolder<Reply>
    private let base: (any HTTPTransport)?
    private let secrets: [SecretText]
    private let secretParameters: Set<String>

    /// Creates a transport over a folder of recordings.
    ///
    /// - Parameters:
    ///   - folder: Where the recordings lie; it is made when the first one is written.
    ///   - base: What is asked for replies that are missing; nil if that is an error.
    ///   - secrets: Texts that must not be written, such as an API key.
    ///   - secretParameters: Names of query parameters that must not be written, in whatever case.
    public init(
        folder: URL, recording base: (any HTTPTransport)? = nil, secrets: [String] = [],
        secretParameters: Set<String> = ["api_key", "key", "access_token"]
    ) {
        self.folder = RecordingFolder(url: folder)
        self.base = base
        self.secrets = secrets.compactMap { SecretText($0) }
        self.secretParameters = Set(secretParameters.map { $0.lowercased() })
    }

    /// Gives the recorded reply, or records one.
    ///
    /// - Throws: `PhotoSourceError.unavailable` if there is neither, or the recording is damaged.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try Task.checkCancellation()
        let address = stripped(request.url)
        let name = RecordingName(request: address)
        if let reply = try folder.answer(to: address, name) {
            return HTTPResponse(
                status: reply.status, headers: reply.headers, body: reply.body, url: reply.url)
        }
        guard let base else { throw folder.missing("GET \(address)", name) }
        let response = try await base.send(request)
        try folder.record(reply(response), to: address, name)
        return response
    }

    private func reply(_ response: HTTPResponse) -> Reply {
        let headers = response.headers.filter { Self.keptHeaders.contains($0.key.lowercased()) }
        return Reply(
            status: response.status, headers: headers.mapValues(redacted),
            url: response.url.flatMap { URL(string: stripped($0)) },
            body: secrets.reduce(response.body) { body, secret in
                Data(secret.redacted(Array(body), as: Array("-".utf8)))
            })
    }

    /// An address without secrets, its parameters in alphabetical order.
    private func stripped(_ url: URL) -> String {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: false) else {
            return redacted(url.absoluteString)
        }
        let told = components.percentEncodedQueryItems?.filter { item in
            let name = item.name.removingPercentEncoding ?? item.name
            return !secretParameters.contains(name.lowercased())
        }
        components.percentEncodedQueryItems = told.flatMap { items in
            items.isEmpty
                ? nil : items.sorted { ($0.name, $0.value ?? "") < ($1.name, $1.value ?? "") }
        }
        return redacted(components.string ?? url.absoluteString)
    }

    private func redacted(_ text: String) -> String {
        secrets.reduce(text) { $1.redacted($0, as: "-") }
    }
}

extension RecordedTransport: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// Where the recordings lie; neither the secrets nor what they are recorded from.
    public var description: String {
        "recordings in \(redacted(folder.url.path(percentEncoded: false)))"
    }

    /// The same as `description`.
    public var debugDescription: String { description }

    /// Shows nothing but the description.
    public var customMirror: Mirror { Mirror(self, children: ["transport": description]) }
}

extension RecordingName {
    /// Parameters that the requests of a source have in common.
    private static let common: Set<String> = [
        "action", "extras", "format", "formatversion", "iiextmetadatafilter",
        "iiextmetadatalanguage", "iiprop", "maxage", "media", "method", "nojsoncallback",
        "safe_search", "smaxage", "sort",
    ]

    /// The name of a request's recording, by its address without secrets: the method or the path, and the
    /// parameters in alphabetical order, those of paging last.
    fileprivate init(request address: String) {
        let components = URLComponents(string: address)
        let items = (components?.queryItems ?? []).map { (name: $0.name, value: $0.value ?? "") }
        let method = items.first { $0.name == "method" }?.value
        let told = items.filter { !Self.common.contains($0.name) }
        let pages = ["per_page", "page"]
        let ordered =
            told.filter { !pages.contains($0.name) }
            + pages.flatMap { page in told.filter { $0.name == page } }
        let path = [components?.host, components?.path].compactMap { $0 }.joined()
        self.init(method ?? path, ordered, of: address)
    }
}
