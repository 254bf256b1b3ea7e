import Foundation

extension URL {
    /// The names of query parameters whose values must not be shown.
    package static let secretNames: Set<String> = [
        "access_token", "api_key", "api_sig", "apikey", "auth_token", "key", "oauth_signature",
        "oauth_token", "secret", "sig", "signature", "token",
    ]

    /// The address for descriptions, without the values of parameters that are keys, and without the
    /// name and password of a user.
    var shown: String {
        withoutUser.split(separator: "&", omittingEmptySubsequences: false)
            .map(Self.shown).joined(separator: "&")
    }

    /// The address without what stands before its host.
    private var withoutUser: String {
        let text = absoluteString
        guard let start = text.firstRange(of: "://")?.upperBound else { return text }
        let end = text[start...].firstIndex { "/?#".contains($0) } ?? text.endIndex
        guard let at = text[start..<end].lastIndex(of: "@") else { return text }
        return String(text[..<start] + text[text.index(after: at)...])
    }

    /// A part of an address as descriptions show it: one parameter, or what is not a parameter.
    private static func shown(_ part: Substring) -> String {
        let start = part.firstIndex(of: "?").map(part.index(after:)) ?? part.startIndex
        guard let equals = part[start...].firstIndex(of: "=") else { return String(part) }
        let name = String(part[start..<equals])
        guard secretNames.contains((name.removingPercentEncoding ?? name).lowercased()) else {
            return String(part)
        }
        let end = part[equals...].firstIndex(of: "#") ?? part.endIndex
        return "\(part[...equals])<redacted>\(part[end...])"
    }
}
