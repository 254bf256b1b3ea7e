import Foundation

/// A Flickr API key that is visible only in the queries that contain it.
struct FlickrKey: Sendable {
    let value: String
    private let secret: SecretText?

    init(_ value: String) {
        self.value = value.trimmingWhitespace
        secret = SecretText(self.value)
    }

    static let environmentVariable = "FLICKR_API_KEY"

    /// The error for an empty key.
    static let missing = PhotoSourceError.missingKey(
        provider: FlickrPhotoSource.providerName,
        remedy: "create one at https://www.flickr.com/services/apps/create/ and pass it as key: "
            + "or set the environment variable \(environmentVariable)")

    /// A text of unknown origin with the key removed, however it is spelled there.
    func redacted(_ text: String) -> String { secret?.redacted(text) ?? text }
}

extension FlickrKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    var description: String { "<redacted>" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: []) }
}
