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
    ///
    /// A part of a body (206) is no success, since no source asks for one.
    public var statusFailure: PhotoSourceError? {
        (200...299).contains(status) && status != 206
            ? nil : .http(status: status, retryAfter: retryAfter)
    }

    /// How long the server asks to wait, from `Retry-After` in seconds or as a date; the longest, if it says several.
    ///
    /// A date is compared with the reply's own `Date`, so that the local clock does not matter unless that is missing.
    var retryAfter: Duration? {
        guard let value = header("Retry-After")?.trimmingWhitespace else { return nil }
        let numbers = value.split(separator: ",").map { Double($0.trimmingWhitespace) }
        if let longest = numbers.compactMap(\.self).max(), numbers.allSatisfy({ $0 != nil }) {
            return longest.isFinite ? .seconds(min(max(0, longest), Self.longestWait)) : nil
        }
        guard let until = Self.date(value) else { return nil }
        let sent = header("Date").flatMap(Self.date) ?? Date()
        return .seconds(min(max(0, until.timeIntervalSince(sent)), Self.longestWait))
    }

    /// More than anybody waits, in seconds, and little enough to count with.
    private static let longestWait = 1e9

    /// A date in one of the three forms of RFC 9110, section 5.6.7.
    private static func date(_ text: String) -> Date? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        for form in [
            "EEE, dd MMM yyyy HH:mm:ss 'GMT'", "EEEE, dd-MMM-yy HH:mm:ss 'GMT'",
            "EEE MMM d HH:mm:ss yyyy",
        ] {
            formatter.dateFormat = form
            if let date = formatter.date(from: text) { return date }
        }
        return nil
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
