import Foundation
import PlacesBase

extension XMLPropertyListReader {
    /// The type of the next value, which is not consumed.
    mutating func peekKind() throws(JSONError) -> JSONError.ValueKind {
        try passMisc()
        if stands("<dict") { return .object }
        if stands("<array") { return .array }
        if stands("<integer") || stands("<real") { return .number }
        if stands("<true") || stands("<false") { return .boolean }
        if stands("<string") || stands("<data") || stands("<date") { return .string }
        throw unexpected("a value of a property list")
    }

    /// Reads a boolean.
    mutating func readBool() throws(JSONError) -> Bool {
        for (name, value) in [("true" as StaticString, true), ("false", false)] {
            if let tag = try passStartTag(name) {
                if !tag.isEmpty { try passEndTag(name) }
                return value
            }
        }
        throw unexpected("<true/> or <false/>")
    }

    /// Reads digits, or hexadecimal ones behind `0x`, each behind a sign or none.
    mutating func readInteger<Value: FixedWidthInteger>(
        describedAs type: String
    ) throws(JSONError) -> Value {
        let start = offset
        let text = try readNumber(in: "integer")
        let sign = text.prefix { $0 == "-" || $0 == "+" }
        let digits = text.dropFirst(sign.count)
        let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
        guard
            // The digits' own sign would be a second one.
            let first = digits.dropFirst(isHexadecimal ? 2 : 0).first, first != "-", first != "+",
            let value = Value(
                sign + digits.dropFirst(isHexadecimal ? 2 : 0), radix: isHexadecimal ? 16 : 10)
        else { throw failure(.numberOutOfRange(type: type), at: start) }
        return value
    }

    /// Reads a number as the nearest double.
    mutating func readDouble() throws(JSONError) -> Double {
        let start = offset
        try passMisc()
        let text = try readNumber(in: stands("<integer") ? "integer" : "real")
        // Only whole numbers have hexadecimal digits, and no number has a payload.
        guard !text.contains(where: { "xX(".contains($0) }), let value = Double(text) else {
            throw expected("a number", at: start)
        }
        // Infinity is a word.
        guard value.isFinite || !text.contains(where: \.isNumber) else {
            throw failure(.numberOutOfRange(type: "a double"), at: start)
        }
        return value
    }

    /// Reads the text of a number, without the white space around it.
    private mutating func readNumber(in name: StaticString) throws(JSONError) -> Substring {
        let text = try readContent(of: name)[...]
        let start = text.utf8.firstIndex { !Self.isSpace($0) } ?? text.endIndex
        let end = text.utf8.lastIndex { !Self.isSpace($0) } ?? start
        return start < text.endIndex ? text[start...end] : ""
    }

    /// Reads data.
    mutating func readData() throws(JSONError) -> Data {
        let start = offset
        let text = try readContent(of: "data").utf8.filter { !Self.isSpace($0) }
        guard let data = Data(base64Encoded: Data(text)) else {
            throw expected("Base64", at: start)
        }
        return data
    }

    /// Reads a string, or data that is one.
    mutating func readPlainString() throws(JSONError) -> String {
        try passMisc()
        guard stands("<data") else { return try readContent(of: "string") }
        let start = offset
        guard let string = String(validating: try readData(), as: UTF8.self) else {
            throw failure(.invalidUTF8, at: start)
        }
        return string
    }

    /// Reads the text of an element, whose name says what it means.
    mutating func readContent(of name: StaticString) throws(JSONError) -> String {
        guard let tag = try passStartTag(name) else { throw unexpected("<\(name)>") }
        return tag.isEmpty ? "" : try readText(upTo: name)
    }

    /// Reads text and the end tag after it.
    mutating func readText(upTo name: StaticString) throws(JSONError) -> String {
        let start = offset
        var text: [UInt8] = []
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: "&"): text.append(contentsOf: try readReference().utf8)
            case UInt8(ascii: "<") where stands("<![CDATA["):
                offset += 9
                let begin = offset
                try pass(until: "]]>")
                text.append(contentsOf: bytes[begin..<offset - 3])
            case UInt8(ascii: "<") where stands("<!--"): try pass(until: "-->")
            case UInt8(ascii: "<"):
                guard try passEndTagIfPresent(name) else { throw unexpected("</\(name)>") }
                guard let string = text.withUnsafeBytes(JSONScan.string) else {
                    throw failure(.invalidUTF8, at: start)
                }
                return string
            default:
                // NB: Ends of lines stay as they are; XML would make them line feeds, Foundation does not.
                let plain =
                    bytes[offset...].firstIndex {
                        $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&")
                    } ?? bytes.count
                text.append(contentsOf: bytes[offset..<plain])
                offset = plain
            }
        }
        throw failure(.unexpectedEnd(expected: "</\(name)>"))
    }

    /// Passes text and the end tag that fits the start tag that stands in `name`.
    mutating func skipText(upTo name: Range<Int>) throws(JSONError) {
        let name = bytes[name].prefix { !Self.isSpace($0) }
        while offset < bytes.count {
            if stands("<![CDATA[") {
                try pass(until: "]]>")
            } else if stands("<!--") {
                try pass(until: "-->")
            } else if bytes[offset] == UInt8(ascii: "<") {
                guard stands("</"), bytes[(offset + 2)...].starts(with: name),
                    let end = bytes[offset...].firstIndex(of: UInt8(ascii: ">"))
                else { throw unexpected("the end of this element") }
                offset = end + 1
                return
            } else {
                offset += 1
            }
        }
        throw failure(.unexpectedEnd(expected: "the end of this element"))
    }

    /// Reads a reference to a character, or to one of XML's own entities.
    private mutating func readReference() throws(JSONError) -> String {
        let start = offset
        let rest = bytes[offset...].prefix(12)
        guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else {
            throw expected("a reference such as &amp;")
        }
        let name = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
        offset = end + 1
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default: break
        }
        let number =
            name.hasPrefix("#x")
            ? UInt32(name.dropFirst(2), radix: 16)
            : name.hasPrefix("#") ? UInt32(name.dropFirst(1)) : nil
        guard let scalar = number.flatMap(Unicode.Scalar.init) else {
            throw expected("a reference such as &amp; or &#233;", at: start)
        }
        return String(Character(scalar))
    }
}
