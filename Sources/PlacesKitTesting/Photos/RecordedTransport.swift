public import Foundation
public import PlacesKit

/// A transport that sends each request once, and replays the reply forever.
///
/// ```swift
/// let transport = RecordedTransport(
///     folder: folder, recording: URLSessionTransport(), secrets: [key])
/// let flickr = FlickrPhotoSource(key: key, transport: transport)
/// ```
///
/// Every reply has a file of its own in the folder, which is named after the request, such as
/// `flickr.photos.search-place_id-abc-page-2.json`. Secrets are removed from requests and replies
/// before they are written, whatever their case and encoding: those that you name, and the values of
/// parameters that are keys, if they have at least eight characters. So you can publish a recording, and
/// replay it with another key. Without a transport to record from, a request that was never
/// recorded fails. Failures to connect, and replies whose status says that the same request can
/// succeed later, are returned but not recorded. Only one process at a time may record in a folder.
public struct RecordedTransport: HTTPTransport {
    /// A reply in its file.
    private struct Reply: Codable {
        let status: Int
        let headers: [String: String]
        let url: URL?
        let body: Data
    }

    /// The header fields that describe the reply; others may describe the client.
    private static let keptHeaders: Set<String> = ["content-type", "retry-after", "date"]

    private let folder: RecordingFolder<Reply>
    private let base: (any HTTPTransport)?
    private let secrets: [SecretText]
    private let secretParameters: Set<String>
    /// Requests that are under way.
    ///
    /// Two that differ in more than their addresses without secrets may have different replies before
    /// these are recorded: a key is in the one, or a lower limit fails.
    private let transfers = SharedWork<HTTPRequest, HTTPResponse>()

    /// Creates a transport over a folder of recordings.
    ///
    /// - Parameters:
    ///   - folder: The folder of the recordings; it is created when the first one is written.
    ///   - base: The transport to ask for replies that are missing; nil if a missing reply is an
    ///     error.
    ///   - secrets: Texts that must not be written, such as an API key.
    ///   - secretParameters: Names of query parameters that must not be written, in any case; nil
    ///     for those that usually hold keys and signatures, such as `api_key` and `oauth_token`.
    public init(
        folder: URL, recording base: (any HTTPTransport)? = nil, secrets: [String] = [],
        secretParameters: Set<String>? = nil
    ) {
        self.folder = RecordingFolder(url: folder)
        self.base = base
        self.secrets = secrets.compactMap { SecretText($0) }
        self.secretParameters = Set((secretParameters ?? URL.secretNames).map { $0.lowercased() })
    }

    /// Returns the recorded reply, or records one.
    ///
    /// - Throws: `PhotoSourceError.unavailable` if neither is possible, or the recording is
    ///   damaged.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try Task.checkCancellation()
        let address = stripped(request.url)
        let name = RecordingName(request: address)
        return try await transfers.value(for: request) {
            if let reply = try folder.answer(to: address, name) {
                return HTTPResponse(
                    status: reply.status, headers: reply.headers, body: reply.body, url: reply.url)
            }
            guard let base else { throw folder.missing("GET \(address)", name) }
            let response = try await base.send(request)
            // Who asks again has to reach the server.
            guard response.statusFailure?.isRetryable != true else { return response }
            try folder.record(reply(response, to: request.url), to: address, name)
            return response
        }
    }

    /// A reply without secrets, and without those that its request told the server.
    private func reply(_ response: HTTPResponse, to url: URL) -> Reply {
        let secrets = secrets + told(in: url)
        let headers = response.headers.filter { Self.keptHeaders.contains($0.key.lowercased()) }
        return Reply(
            status: response.status,
            headers: headers.mapValues { Self.redacted($0, secrets) },
            url: response.url.flatMap { URL(string: Self.redacted(stripped($0), secrets)) },
            body: secrets.reduce(response.body) { body, secret in
                Data(secret.redacted(Array(body), as: Array("-".utf8)))
            })
    }

    /// The values of an address' secret parameters, and its password.
    ///
    /// A short text may stand in a reply for another reason.
    private func told(in url: URL) -> [SecretText] {
        let components = URLComponents(url: url, resolvingAgainstBaseURL: false)
        let items = (components?.queryItems ?? []).filter {
            secretParameters.contains($0.name.lowercased())
        }
        return (items.map(\.value) + [components?.password]).compactMap { value in
            value.flatMap { $0.count < 8 ? nil : SecretText($0) }
        }
    }

    /// An address without secrets, with its parameters in alphabetical order.
    private func stripped(_ url: URL) -> String {
        let secrets = secrets + told(in: url)
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: false) else {
            return Self.redacted(url.absoluteString, secrets)
        }
        components.user = nil
        components.password = nil
        let told = components.percentEncodedQueryItems?.filter { item in
            let name = item.name.removingPercentEncoding ?? item.name
            return !secretParameters.contains(name.lowercased())
        }
        components.percentEncodedQueryItems = told.flatMap { items in
            items.isEmpty
                ? nil : items.sorted { ($0.name, $0.value ?? "") < ($1.name, $1.value ?? "") }
        }
        return Self.redacted(components.string ?? url.absoluteString, secrets)
    }

    private static func redacted(_ text: String, _ secrets: [SecretText]) -> String {
        secrets.reduce(text) { $1.redacted($0, as: "-") }
    }
}

extension RecordedTransport: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The folder of the recordings, but neither the secrets nor the transport that is recorded.
    public var description: String {
        "recordings in \(Self.redacted(folder.url.path(percentEncoded: false), secrets))"
    }

    /// The same as `description`.
    public var debugDescription: String { description }

    /// Shows nothing but the description.
    public var customMirror: Mirror { Mirror(self, children: ["transport": description]) }
}

extension RecordingName {
    /// Parameters that all requests of a source have.
    private static let common: Set<String> = [
        "action", "extras", "format", "formatversion", "iiextmetadatafilter",
        "iiextmetadatalanguage", "iiprop", "maxage", "media", "method", "nojsoncallback",
        "safe_search", "smaxage", "sort",
    ]

    /// The name for a request's recording, from its address without secrets.
    ///
    /// It consists of the method or the path, and the parameters in alphabetical order, those of
    /// paging last.
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
