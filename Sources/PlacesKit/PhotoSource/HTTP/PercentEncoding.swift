/// Percent-encoding by RFC 3986, done by hand because `URLComponents` leaves `+`, `,` and `@` alone and
/// services read `+` as a space.
enum PercentEncoding {
    /// The text with every byte encoded that is not unreserved.
    static func query(_ text: String) -> String {
        encode(text, alsoAllowed: [])
    }

    /// The text for a path segment; owner identifiers keep their `@`, as in Flickr's own links.
    static func pathSegment(_ text: String) -> String {
        encode(text, alsoAllowed: [UInt8(ascii: "@")])
    }

    /// A query of `name=value` pairs.
    static func query(_ parameters: [(name: String, value: String)]) -> String {
        parameters.map { "\(query($0.name))=\(query($0.value))" }.joined(separator: "&")
    }

    private static func encode(_ text: String, alsoAllowed: [UInt8]) -> String {
        if text.utf8.allSatisfy(isUnreserved) { return text }
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if isUnreserved(byte) || alsoAllowed.contains(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
