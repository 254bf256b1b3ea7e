import Foundation

extension URL {
    /// The names of query parameters whose values are nobody's business.
    private static let secretNames: Set<String> = [
        "access_token", "api_key", "api_sig", "apikey", "auth_token", "key", "oauth_signature",
        "oauth_token", "secret", "sig", "signature", "token",
    ]

    /// The address as descriptions show it: without the values of parameters that are keys.
    var shown: String {
        absoluteString.split(separator: "&", omittingEmptySubsequences: false)
            .map(Self.shown).joined(separator: "&")
    }

    /// A part of an address that holds one parameter, and what stands before or after all of them.
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
