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
/// Every reply lies in a file of its own in the folder, named after its request. Secrets are taken out of
/// requests and replies before they are written, so a recording can be published, and replayed with another
/// key. Without a transport to record from, a request that was never recorded fails. Failures to connect are
/// not recorded.
public struct RecordedTransport: HTTPTransport {
    /// A request and its reply, as they are written.
    private struct Recording: Codable {
        let request: String
        let status: Int
        let headers: [String: String]
        let url: URL?
        let body: Data
    }

    /// Header fields that say something of the reply; others may say something of the client.
    private static let keptHeaders: Set<String> = ["content-type", "retry-after", "date"]

    private let folder: URL
    private let base: (any HTTPTransport)?
    private let secrets: [String]
    private let secretParameters: Set<String>

    /// Creates a transport over a folder of recordings.
    ///
    /// - Parameters:
    ///   - folder: Where the recordings lie; it is made when the first one is written.
    ///   - base: What is asked for replies that are missing; nil if that is an error.
    ///   - secrets: Texts that must not be written, such as an API key.
    ///   - secretParameters: Names of query parameters whose values must not be written.
    public init(
        folder: URL, recording base: (any HTTPTransport)? = nil, secrets: [String] = [],
        secretParameters: Set<String> = ["api_key", "key", "access_token"]
    ) {
        self.folder = folder
        self.base = base
        self.secrets = secrets.filter { !$0.isEmpty }
        self.secretParameters = secretParameters
    }

    /// Gives the recorded reply, or records one.
    ///
    /// - Throws: `PhotoSourceError.notConnected` if there is neither.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try Task.checkCancellation()
        let name = stripped(request.url)
        let file = folder.appending(path: Self.fileName(for: name))
        if let data = try? Data(contentsOf: file) {
            let recording = try JSONDecoder().decode(Recording.self, from: data)
            return HTTPResponse(
                status: recording.status, headers: recording.headers, body: recording.body,
                url: recording.url)
        }
        guard let base else {
            throw PhotoSourceError.notConnected(reason: "there is no recording of GET \(name)")
        }
        let response = try await base.send(request)
        try write(response, of: name, to: file)
        return response
    }

    private func write(_ response: HTTPResponse, of name: String, to file: URL) throws {
        let headers = response.headers.filter { Self.keptHeaders.contains($0.key.lowercased()) }
        let recording = Recording(
            request: name, status: response.status, headers: headers.mapValues(redacted),
            url: response.url.flatMap { URL(string: stripped($0)) }, body: redacted(response.body))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try encoder.encode(recording).write(to: file, options: .atomic)
    }

    /// An address without secrets, its parameters in alphabetical order.
    private func stripped(_ url: URL) -> String {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: false) else {
            return redacted(url.absoluteString)
        }
        components.queryItems = components.queryItems?.map { item in
            secretParameters.contains(item.name) ? URLQueryItem(name: item.name, value: "-") : item
        }.sorted { ($0.name, $0.value ?? "") < ($1.name, $1.value ?? "") }
        return redacted(components.string ?? url.absoluteString)
    }

    private func redacted(_ text: String) -> String {
        secrets.reduce(text) { $0.replacingOccurrences(of: $1, with: "-") }
    }

    /// A body without secrets; one that is no text stays as it is.
    private func redacted(_ body: Data) -> Data {
        guard !secrets.isEmpty, let text = String(data: body, encoding: .utf8) else { return body }
        return Data(redacted(text).utf8)
    }

    /// The name of a recording: the end of the path, and a hash of the whole.
    private static func fileName(for name: String) -> String {
        let path = name.split(separator: "?").first ?? ""
        return recordingName(path.split(separator: "/").last ?? "", of: name)
    }
}
