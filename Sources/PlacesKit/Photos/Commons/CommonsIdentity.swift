import Foundation

/// How an application introduces itself to Wikimedia.
///
/// The form is that of
/// https://foundation.wikimedia.org/wiki/Policy:Wikimedia_Foundation_User-Agent_Policy ; the
/// servers of pictures also want a `Referer`.
struct CommonsIdentity: Sendable {
    let headers: [String: String]

    init(application: String, contact: String) throws(PhotoSourceError) {
        let application = Self.line(application)
        let contact = Self.line(contact)
        guard !application.isEmpty, !contact.isEmpty else {
            throw .invalidRequest(
                reason:
                    "Wikimedia wants to know which application asks and whom to contact about it")
        }
        var headers = ["User-Agent": "\(application) (\(contact)) PlacesKit"]
        if contact.hasPrefix("https://") || contact.hasPrefix("http://") {
            headers["Referer"] = contact
        }
        self.headers = headers
    }

    /// A text that fits a header field.
    private static func line(_ text: String) -> String {
        String(text.unicodeScalars.filter { (0x20...0x7E).contains($0.value) }).trimmingWhitespace
    }
}
