/// The text of an address over HTTPS that is certain to be a URL.
///
/// The check is stricter than the grammar of RFC 3986 and much faster than making a `URL`: a host of letters,
/// digits, dots and hyphens, and after it only characters that may stand there.
struct HTTPAddress {
    let text: String

    /// Accepts an address over HTTPS, or over HTTP, which becomes HTTPS; nil for any other text.
    init?(_ text: String) {
        let isInsecure = text.utf8.starts(with: "http://".utf8)
        let text = isInsecure ? "https://" + text.dropFirst("http://".count) : text
        let isAddress = text.utf8.withContiguousStorageIfAvailable(Self.isAddress)
        guard isAddress ?? Self.isAddress(Array(text.utf8)[...]) else { return nil }
        self.text = text
    }

    private static func isAddress(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
        guard bytes.starts(with: "https://".utf8) else { return false }
        let rest = bytes.dropFirst("https://".utf8.count)
        let host = rest.prefix { isHostByte($0) }
        guard let first = host.first, first != UInt8(ascii: "."), first != UInt8(ascii: "-") else {
            return false
        }
        let path = rest.dropFirst(host.count)
        guard path.first ?? UInt8(ascii: "/") == UInt8(ascii: "/") else { return false }
        var hexDigitsDue = 0
        for byte in path {
            if hexDigitsDue > 0 {
                guard isHexDigit(byte) else { return false }
                hexDigitsDue -= 1
            } else if byte == UInt8(ascii: "%") {
                hexDigitsDue = 2
            } else if !isHostByte(byte), !isMark(byte) {
                return false
            }
        }
        return hexDigitsDue == 0
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    /// Whether a byte may stand in a path or a query besides letters, digits, dots and hyphens.
    private static func isMark(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "?"),
            UInt8(ascii: "="), UInt8(ascii: "&"), UInt8(ascii: "+"), UInt8(ascii: ","),
            UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "!"),
            UInt8(ascii: "$"), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"),
            UInt8(ascii: "*"):
            true
        default: false
        }
    }
}
