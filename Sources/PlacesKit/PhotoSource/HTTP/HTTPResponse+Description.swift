extension HTTPResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The status, the length of the body and where it came from; what else a reply holds may quote a key.
    public var description: String {
        "HTTP status \(status), \(body.count) bytes" + (url.map { " from \($0.shown)" } ?? "")
    }

    /// The same as `description`.
    public var debugDescription: String { description }

    /// Shows nothing but the description.
    public var customMirror: Mirror { Mirror(self, children: ["response": description]) }
}
