public import Foundation

/// A GET request.
///
/// Its description leaves out the value of `api_key`.
public struct HTTPRequest: Hashable, Sendable {
    /// The full address with its query.
    public var url: URL
    /// The header fields.
    public var headers: [String: String]
    /// How many bytes the reply's body may have, counted after decompression.
    public var bodyLimit: Int

    /// Creates a request.
    public init(
        url: URL, headers: [String: String] = [:], bodyLimit: Int = ReplyLimits().reply
    ) {
        self.url = url
        self.headers = headers
        self.bodyLimit = bodyLimit
    }

    /// The decoded value of a query parameter, or nil if it is absent.
    public func queryValue(_ name: String) -> String? {
        URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems?
            .first { $0.name == name }?.value
    }
}

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and address, with the value of `api_key` replaced.
    public var description: String {
        let parts = url.absoluteString.split(separator: "&", omittingEmptySubsequences: false)
        let shown = parts.map { part in
            guard let key = part.range(of: "api_key=") else { return String(part) }
            return part[..<key.upperBound] + "<redacted>"
        }
        return "GET " + shown.joined(separator: "&")
    }

    /// The same as `description`.
    public var debugDescription: String { description }

    /// Shows nothing but the description.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
