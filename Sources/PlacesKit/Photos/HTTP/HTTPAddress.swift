/// The text of an HTTPS address that is certain to be a valid URL.
///
/// The check is stricter than the grammar of RFC 3986 and much faster than making a `URL`. It
/// accepts a host of letters, digits, dots and hyphens, and after it only characters that are
/// allowed in a path or query.
///
/// Addresses that differ only at their ends may share the memory of their beginnings.
struct HTTPAddress {
    let beginning: String
    let rest: String
    private let hasPath: Bool

    var text: String { rest.isEmpty ? beginning : beginning + rest }

    private static let secure: StaticString = "https://"
    private static let insecure: StaticString = "http://"
    private static let hostBytes = ASCIISet.alphanumerics.union(ASCIISet("-."))
    private static let segmentBytes = hostBytes.union(ASCIISet("_"))
    /// The characters that are allowed in a path or a query.
    private static let pathBytes = hostBytes.union(ASCIISet("/_~?=&+,;:@!$'()*%"))
    private static let hexDigits = ASCIISet("0123456789abcdefABCDEF")

    /// Accepts an HTTPS address, or an HTTP one, which becomes HTTPS; nil for any other text.
    init?(_ text: String) {
        var text = text
        if text.utf8.starts(with: Self.insecure) {
            text = "\(Self.secure)\(text.dropFirst(Self.insecure.utf8CodeUnitCount))"
        }
        guard let path = text.withUTF8(Self.path) else { return nil }
        beginning = text
        rest = ""
        hasPath = !path.isEmpty
    }

    /// This address followed by letters, digits, `-`, `.` and `_`; nil for any other characters.
    ///
    /// It is also nil if this address has no path.
    func appending(_ rest: String) -> HTTPAddress? {
        var rest = rest
        guard hasPath, self.rest.isEmpty, rest.withUTF8(Self.segmentBytes.containsAll) else {
            return nil
        }
        return HTTPAddress(beginning: beginning, rest: rest, hasPath: true)
    }

    private init(beginning: String, rest: String, hasPath: Bool) {
        self.beginning = beginning
        self.rest = rest
        self.hasPath = hasPath
    }

    /// The range of an address's path and query; nil if the address is not valid.
    private static func path(_ bytes: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        guard bytes.starts(with: secure) else { return nil }
        let hostStart = secure.utf8CodeUnitCount
        let hostBytes = hostBytes
        var pathStart = hostStart
        while pathStart < bytes.count, hostBytes.contains(bytes[pathStart]) { pathStart += 1 }
        guard pathStart > hostStart, bytes[hostStart] != UInt8(ascii: "."),
            bytes[hostStart] != UInt8(ascii: "-"),
            pathStart == bytes.count || bytes[pathStart] == UInt8(ascii: "/")
        else { return nil }
        let path = UnsafeBufferPointer(rebasing: bytes[pathStart...])
        guard pathBytes.containsAll(path), areEscapesWhole(path) else { return nil }
        return pathStart..<bytes.count
    }

    private static func areEscapesWhole(_ path: UnsafeBufferPointer<UInt8>) -> Bool {
        var rest = path[...]
        while let escape = rest.firstIndex(of: UInt8(ascii: "%")) {
            guard path.count - escape > 2, hexDigits.contains(path[escape + 1]),
                hexDigits.contains(path[escape + 2])
            else { return false }
            rest = path[(escape + 3)...]
        }
        return true
    }
}

extension Collection<UInt8> {
    fileprivate func starts(with text: StaticString) -> Bool {
        starts(with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
}
