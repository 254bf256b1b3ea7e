import Foundation
import PlacesBase

/// The body of a reply from Flickr, after a check for Flickr's own errors.
struct FlickrReply {
    let root: LenientJSON

    /// Reads a reply, without the function call that may be wrapped around it.
    ///
    /// - Throws: `PhotoSourceError.service` if the reply reports an error, `malformedReply` if it
    ///   is not a JSON object.
    init(body: Data, method: String) throws {
        let bytes = Array(body)
        let (start, json) = Self.unwrapped(bytes)
        do {
            root = try LenientJSON(parsing: json)
        } catch {
            throw PhotoSourceError.malformedReply(
                what: "the reply to \(method) is \(Self.nature(of: json)), not JSON",
                position: Self.position(of: error, in: bytes, jsonStart: start))
        }
        guard root.isObject else {
            throw PhotoSourceError.malformedReply(
                what: "the reply to \(method) is JSON, but not an object", position: nil)
        }
        if root["stat"].text == "fail" {
            throw PhotoSourceError.service(
                FlickrErrorCode.failure(
                    method: method, code: root["code"].int ?? 0,
                    message: root["message"].text ?? ""))
        }
    }

    /// The content of the reply under its one name, such as `photos`.
    func content(_ name: StaticString) throws -> LenientJSON {
        let content = root[name]
        guard content.isObject else {
            throw PhotoSourceError.malformedReply(
                what: "the reply lacks the object “\(name)”", position: nil)
        }
        return content
    }

    /// The JSON inside `name({…});` or after a byte order mark, and where it starts.
    private static func unwrapped(_ bytes: [UInt8]) -> (start: Int, json: [UInt8]) {
        let opening = bytes.firstIndex { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }
        guard let opening, opening > 0, opening < 256 else { return (0, bytes) }
        let prefix = String(decoding: bytes[..<opening], as: UTF8.self)
        guard prefix.wholeMatch(of: /\u{FEFF}?\s*([\w$.]+\()?\s*/) != nil else {
            return (0, bytes)
        }
        guard prefix.contains("(") else { return (opening, Array(bytes[opening...])) }
        let tail = bytes.lastIndex { !isTail($0) } ?? opening
        return (opening, Array(bytes[opening...max(opening, tail)]))
    }

    private static func isTail(_ byte: UInt8) -> Bool {
        byte <= UInt8(ascii: " ") || byte == UInt8(ascii: ")") || byte == UInt8(ascii: ";")
    }

    private static func nature(of json: [UInt8]) -> String {
        guard let first = json.first(where: { $0 > UInt8(ascii: " ") }) else { return "empty" }
        return first == UInt8(ascii: "<") ? "HTML or XML" : "damaged"
    }

    /// Where the parser stopped, as an offset in the whole body.
    private static func position(
        of error: JSONError, in body: [UInt8], jsonStart: Int
    ) -> PhotoSourceError.ReplyPosition {
        let byte = min(jsonStart + error.byteOffset, body.count)
        let line = 1 + body.prefix(byte).count { $0 == UInt8(ascii: "\n") }
        return PhotoSourceError.ReplyPosition(byte: byte, line: line)
    }
}
