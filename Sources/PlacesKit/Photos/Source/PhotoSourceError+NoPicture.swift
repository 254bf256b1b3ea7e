import Foundation

extension PhotoSourceError {
    /// The error for a body that is no picture by its first bytes, which says what it is instead.
    ///
    /// - Parameters:
    ///   - what: What was asked for.
    ///   - body: What came.
    ///   - type: What the server says that it is.
    ///   - host: Where it came from, if that is known. The rest of an address may hold a key.
    /// - Returns: The error.
    static func noPicture(
        _ what: String, body: Data, type: String? = nil, from host: String?
    ) -> PhotoSourceError {
        let origin = host.map { ", from \($0)" } ?? ""
        guard !body.isEmpty else { return .noPicture(what: what, came: "nothing" + origin) }
        let type = type?.prefix { $0 != ";" }.filter { !$0.isWhitespace }.prefix(60)
        let size = (type.map { "\($0) of " } ?? "") + "\(body.count) bytes"
        return .noPicture(
            what: what, came: "\(size) beginning with \(beginning(of: body))\(origin)")
    }

    /// The first bytes: as text where they are that, else by their numbers.
    private static func beginning(of body: Data) -> String {
        let bytes = body.prefix(12)
        guard bytes.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x0A || $0 == 0x0D }) else {
            return bytes.prefix(8).map { String(format: "%02X", $0) }.joined(separator: " ")
        }
        let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        return "“\(words.joined(separator: " "))”"
    }
}
