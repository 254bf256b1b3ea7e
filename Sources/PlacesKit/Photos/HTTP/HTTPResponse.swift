public import Foundation

/// The reply to a request.
public struct HTTPResponse: Hashable, Sendable {
    /// The status code.
    public var status: Int
    /// The header fields as received; `header(_:)` ignores case.
    public var headers: [String: String]
    /// The body.
    public var body: Data
    /// The address that the reply came from, after redirects; nil if the transport does not know.
    public var url: URL?

    /// Creates a response.
    public init(status: Int = 200, headers: [String: String] = [:], body: Data, url: URL? = nil) {
        self.status = status
        self.headers = headers
        self.body = body
        self.url = url
    }

    /// The value of a header field, whatever the case of its name.
    public func header(_ name: String) -> String? {
        headers[name] ?? headers.first { Self.isSame($0.key, name) }?.value
    }

    /// Whether two ASCII names of fields are equal, ignoring case.
    private static func isSame(_ first: String, _ second: String) -> Bool {
        first.utf8.count == second.utf8.count && first.lowercased() == second.lowercased()
    }

    /// The error for a status other than success; nil for success.
    public var statusFailure: PhotoSourceError? {
        (200...299).contains(status) ? nil : .http(status: status, retryAfter: retryAfter)
    }

    /// Whether the declared type of the body is a web page.
    var isHTML: Bool {
        header("Content-Type")?.lowercased().hasPrefix("text/html") ?? false
    }

    /// How long the server asks to wait, from `Retry-After` in seconds or as a date.
    ///
    /// A date is compared with the reply's own `Date`, so that the local clock does not matter.
    var retryAfter: Duration? {
        guard let value = header("Retry-After")?.trimmingWhitespace else { return nil }
        if let seconds = Int32(value) { return .seconds(max(0, seconds)) }
        guard let until = Self.date(value), let sent = header("Date").flatMap(Self.date) else {
            return nil
        }
        return .seconds(max(0, until.timeIntervalSince(sent)))
    }

    private static func date(_ text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.date(from: text)
    }
}

extension HTTPResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The status, the length of the body and the reply's address; the rest may contain a key.
    public var description: String {
        "HTTP status \(status), \(body.count) bytes" + (url.map { " from \($0.shown)" } ?? "")
    }

    /// The same as `description`.
    public var debugDescription: String { description }

    /// Shows nothing but the description.
    public var customMirror: Mirror { Mirror(self, children: ["response": description]) }
}
