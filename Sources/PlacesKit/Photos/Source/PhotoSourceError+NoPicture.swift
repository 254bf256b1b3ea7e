import Foundation

extension PhotoSourceError {
    /// The error for a body whose first bytes are not those of a picture; it says what the body is.
    ///
    /// - Parameters:
    ///   - what: What was requested.
    ///   - body: The body of the reply.
    ///   - type: The type that the server declares.
    ///   - host: The host that sent it, if known. The rest of an address may contain a key.
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

    /// The first bytes: as text if they are text, else as numbers.
    private static func beginning(of body: Data) -> String {
        let bytes = body.prefix(12)
        guard bytes.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x0A || $0 == 0x0D }) else {
            return bytes.prefix(8).map { String(format: "%02X", $0) }.joined(separator: " ")
        }
        let words = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        return "“\(words.joined(separator: " "))”"
    }
}
