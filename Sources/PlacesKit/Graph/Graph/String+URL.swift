import Foundation

extension String {
    /// The text of a URL that others wrote, as `URL` spells it; `nil` where there is no such URL.
    ///
    /// A `URL` that a program has may be none of these: `URLComponents().url` is empty.
    var spelledAsURL: String? { isPlainURL ? self : URL(string: self)?.absoluteString }

    /// Whether this is one of the common URLs, of which `URL` changes nothing: to make one of every text would take
    /// longer than to read the rest of its object.
    private var isPlainURL: Bool {
        utf8.withContiguousStorageIfAvailable { text in
            // http:// or https://
            guard text.count > 8, text[0] == 0x68, text[1] == 0x74, text[2] == 0x74, text[3] == 0x70
            else { return false }
            let host = text[4] == 0x73 ? 8 : 7
            guard text[host - 3] == 0x3A, text[host - 2] == .slash, text[host - 1] == .slash else {
                return false
            }
            var end = host
            while end < text.count, text[end].isOfPlainHost { end += 1 }
            guard end > host, end == text.count || text[end] == .slash else { return false }
            // Without branches, so that many bytes are looked at together.
            var (oddities, percents) = (0 as UInt8, 0 as UInt8)
            for index in end..<text.count {
                oddities |= text[index].isOddInURL
                percents |= text[index] == .percent ? 1 : 0
            }
            return oddities == 0 && (percents == 0 || text.hasWholeEscapes)
        } ?? false
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether two digits follow each percent sign.
    fileprivate var hasWholeEscapes: Bool {
        indices.allSatisfy { index in
            self[index] != .percent
                || index + 2 < count && self[index + 1].isHexDigit && self[index + 2].isHexDigit
        }
    }
}

extension UInt8 {
    fileprivate static let slash = UInt8(ascii: "/")
    fileprivate static let percent = UInt8(ascii: "%")

    fileprivate var isHexDigit: Bool { self &- 0x30 < 10 || (self | 0x20) &- 0x61 < 6 }

    /// A letter, a digit, a dot or a hyphen.
    fileprivate var isOfPlainHost: Bool {
        (self | 0x20) &- 0x61 < 26 || self &- 0x30 < 10 || self == 0x2D || self == 0x2E
    }

    /// 1 where a path and a query don't have the byte, or `URL` might spell it otherwise: what is beyond "!" to "~", and
    /// any of #<>[\]^`{|} and the quotation mark.
    fileprivate var isOddInURL: UInt8 {
        let isBeyond: UInt8 = self &- 0x21 > 0x5D ? 1 : 0
        let isBracket: UInt8 = (self | 0x20) &- 0x7B < 3 ? 1 : 0
        let isMark: UInt8 = self | 2 == 0x3E ? 1 : 0
        let isQuote: UInt8 = self &- 0x22 < 2 ? 1 : 0
        let isAccent: UInt8 = (self == 0x5E ? 1 : 0) | (self == 0x60 ? 1 : 0)
        return isBeyond | isBracket | isMark | isQuote | isAccent
    }
}
