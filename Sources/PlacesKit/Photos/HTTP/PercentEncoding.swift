/// Percent-encoding by RFC 3986.
///
/// `URLComponents` does not encode `+`, `,` and `@`, and services read `+` as a space.
enum PercentEncoding {
    private static let unreserved = ASCIISet.alphanumerics.union(ASCIISet("-._~"))
    private static let segmentBytes = unreserved.union(ASCIISet("@"))

    /// The text with every byte encoded except the unreserved ones.
    static func query(_ text: String) -> String { encode(text, allowed: unreserved) }

    /// The text for a path segment; the `@` of owner identifiers stays, as in Flickr's own links.
    static func pathSegment(_ text: String) -> String { encode(text, allowed: segmentBytes) }

    /// A query of `name=value` pairs.
    static func query(_ parameters: [(name: String, value: String)]) -> String {
        parameters.map { "\(query($0.name))=\(query($0.value))" }.joined(separator: "&")
    }

    private static func encode(_ text: String, allowed: ASCIISet) -> String {
        var text = text
        if text.withUTF8(allowed.containsAll) { return text }
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if allowed.contains(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)
}
