import Foundation

/// A Flickr API key that shows itself to nobody but the query it is put into.
struct FlickrKey: Sendable {
    let value: String

    init(_ value: String) {
        self.value = value.trimmingWhitespace
    }

    static let environmentVariable = "FLICKR_API_KEY"

    /// The error for an empty key.
    static let missing = PhotoSourceError.missingKey(
        provider: FlickrPhotoSource.providerName,
        remedy: "create one at https://www.flickr.com/services/apps/create/ and pass it as key: "
            + "or set the environment variable \(environmentVariable)")

    /// A text of unknown origin without the key.
    func redacted(_ text: String) -> String {
        guard !value.isEmpty else { return text }
        return text.replacingOccurrences(of: value, with: "<redacted>")
            .replacingOccurrences(of: PercentEncoding.query(value), with: "<redacted>")
    }
}

extension FlickrKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    var description: String { "<redacted>" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: []) }
}
