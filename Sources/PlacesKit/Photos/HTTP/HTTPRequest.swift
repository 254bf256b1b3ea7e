public import Foundation

/// A GET request.
///
/// Its description omits the header fields, and the values of parameters such as `api_key`.
public struct HTTPRequest: Hashable, Sendable {
    /// The full address with its query.
    public var url: URL
    /// The header fields.
    public var headers: [String: String]
    /// The largest allowed size of the reply's body in bytes, after decompression.
    public var bodyLimit: Int

    /// Creates a request.
    public init(
        url: URL, headers: [String: String] = [:], bodyLimit: Int = ReplyLimits().reply
    ) {
        self.url = url
        self.headers = headers
        self.bodyLimit = bodyLimit
    }

    /// The decoded value of a query parameter; nil if it is missing.
    public func queryValue(_ name: String) -> String? {
        URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems?
            .first { $0.name == name }?.value
    }
}

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and address, with the values of `api_key`, `access_token` and the like replaced.
    public var description: String { "GET \(url.shown)" }

    /// The same as `description`.
    public var debugDescription: String { description }

    /// Shows nothing but the description.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}
