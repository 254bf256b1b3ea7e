import Foundation

/// Turns the HTML of captions into plain text.
enum PlainText {
    /// The plain text of a piece of HTML.
    ///
    /// Tags are removed, but those that break lines become line breaks. Character references are
    /// resolved. Hidden elements and surrounding white space are left out. What only looks like
    /// markup ("a < b", "R&D") stays as it is.
    ///
    /// - Complexity: O(n) in the length of the HTML.
    static func rendering(html: String) -> String {
        var text: [UInt8] = []
        let bytes = Array(html.utf8)
        text.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "<"):
                if let end = endOfTag(in: bytes, from: index) {
                    if hidesContent(bytes[index..<end]) {
                        index = endOfElement(in: bytes, from: index, content: end)
                        continue
                    }
                    if breaksLine(bytes[index..<end]) { text.append(UInt8(ascii: "\n")) }
                    index = end
                    continue
                }
            case UInt8(ascii: "&"):
                if let (character, end) = reference(in: bytes, from: index) {
                    text.append(contentsOf: character.utf8)
                    index = end
                    continue
                }
            default: break
            }
            text.append(bytes[index])
            index += 1
        }
        return String(decoding: text, as: UTF8.self).trimmingWhitespace
    }

    /// The index after the `>` of the tag or comment that begins here; nil if none begins here.
    private static func endOfTag(in bytes: [UInt8], from start: Int) -> Int? {
        guard start + 1 < bytes.count, isTagStart(bytes[start + 1]) else { return nil }
        var index = start + 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "<") {
            if bytes[index] == UInt8(ascii: ">") { return index + 1 }
            index += 1
        }
        return nil
    }

    private static func isTagStart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "/"), UInt8(ascii: "!"):
            true
        default: false
        }
    }

    /// Whether the content between this tag and its closing tag is invisible.
    private static func hidesContent(_ tag: ArraySlice<UInt8>) -> Bool {
        switch name(of: tag) {
        case "script", "style": return !isClosing(tag)
        case "br", "hr", "img", "input": return false
        default:
            guard tag.count > 20, !isClosing(tag) else { return false }
            let text = String(decoding: tag, as: UTF8.self).lowercased()
            return text.contains("display:none") || text.contains("display: none")
        }
    }

    /// The index after the element that begins here; the end of the text if it is never closed.
    private static func endOfElement(in bytes: [UInt8], from start: Int, content: Int) -> Int {
        let element = name(of: bytes[start..<content])
        var depth = 1
        var index = content
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "<"), let end = endOfTag(in: bytes, from: index) {
                let tag = bytes[index..<end]
                if name(of: tag) == element { depth += isClosing(tag) ? -1 : 1 }
                index = end
                if depth == 0 { return index }
            } else {
                index += 1
            }
        }
        return index
    }

    private static func name(of tag: ArraySlice<UInt8>) -> String {
        let name = tag.dropFirst().drop { $0 == UInt8(ascii: "/") }
            .prefix { isTagStart($0) && $0 != UInt8(ascii: "/") }
        return String(decoding: name, as: UTF8.self).lowercased()
    }

    private static func isClosing(_ tag: ArraySlice<UInt8>) -> Bool {
        tag.dropFirst().first == UInt8(ascii: "/")
    }

    private static func breaksLine(_ tag: ArraySlice<UInt8>) -> Bool {
        switch name(of: tag) {
        case "br": true
        case "p", "div", "li": isClosing(tag)
        default: false
        }
    }

    /// The character for a reference such as `&amp;` or `&#233;`, and the index after it.
    private static func reference(in bytes: [UInt8], from start: Int) -> (String, Int)? {
        let longest = bytes[start...].dropFirst().prefix(10)
        guard let end = longest.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
        if let character = named[name] { return (character, end + 1) }
        guard name.hasPrefix("#") else { return nil }
        let digits = name.dropFirst()
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        let value =
            isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
        guard let value, value > 0, let scalar = Unicode.Scalar(value) else { return nil }
        return (String(Character(scalar)), end + 1)
    }

    private static let named = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "hellip": "…",
        "ndash": "–", "mdash": "—", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”",
        "copy": "©", "eacute": "é", "euro": "€",
    ]
}

extension StringProtocol where UTF8View: BidirectionalCollection {
    /// The text without white space around it.
    ///
    /// Most texts begin and end with ASCII characters other than white space; a quick check finds
    /// these.
    var trimmingWhitespace: String {
        let hasPlainEnds = utf8.withContiguousStorageIfAvailable { bytes in
            guard let first = bytes.first, let last = bytes.last else { return true }
            return (0x21...0x7E).contains(first) && (0x21...0x7E).contains(last)
        }
        if hasPlainEnds == true { return String(self) }
        return trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
