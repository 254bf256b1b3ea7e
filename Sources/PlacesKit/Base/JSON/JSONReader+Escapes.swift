extension JSONReader {
    /// Passes one escape, or the two escapes of a surrogate pair.
    package mutating func scanEscape() throws(JSONError) {
        guard bytes.count - offset >= 2 else { throw failure(.invalidEscape) }
        guard !mendsStrings else {
            offset += 2
            return
        }
        guard bytes[offset + 1] == UInt8(ascii: "u") else {
            guard Self.character(forEscape: bytes[offset + 1]) != nil else {
                throw failure(.invalidEscape)
            }
            offset += 2
            return
        }
        guard let unit = codeUnit(at: offset) else { throw failure(.invalidEscape) }
        guard UTF16.isLeadSurrogate(unit) else {
            guard !UTF16.isTrailSurrogate(unit) else { throw failure(.loneSurrogate) }
            offset += 6
            return
        }
        guard let trail = codeUnit(at: offset + 6), UTF16.isTrailSurrogate(trail) else {
            throw failure(.loneSurrogate)
        }
        offset += 12
    }

    /// A scanned string with its escapes replaced; bytes that are not UTF-8 become U+FFFD.
    package func unescaped(_ token: StringToken) -> String {
        String(unsafeUninitializedCapacity: token.range.count) { unescape(token, into: $0) }
    }

    /// Copies a scanned string into memory that is as large as its token, and replaces the escapes.
    ///
    /// - Returns: The number of bytes. An escape never stands for more bytes than it has itself.
    @usableFromInline
    package func unescape(_ token: StringToken, into text: UnsafeMutableBufferPointer<UInt8>) -> Int
    {
        let source = UnsafeRawBufferPointer(rebasing: bytes[..<token.range.upperBound])
        var position = token.range.lowerBound
        var count = 0
        while true {
            let plainEnd = JSONScan.endOfPlainText(in: source, from: position)
            if plainEnd > position {
                UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: text[count...]))
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[position..<plainEnd]))
                count += plainEnd - position
            }
            guard plainEnd < source.count else { return count }
            guard source[plainEnd] == UInt8(ascii: "\\") else {
                text[count] = source[plainEnd]
                count += 1
                position = plainEnd + 1
                continue
            }
            guard plainEnd + 1 < source.count else { return count }
            if let character = Self.character(forEscape: source[plainEnd + 1]) {
                text[count] = character
                count += 1
                position = plainEnd + 2
            } else {
                position = plainEnd + unescapeCodePoint(at: plainEnd, into: text, &count)
            }
        }
    }

    /// Appends the scalar that the `\u` escape at `offset` names; returns the escape's length.
    private func unescapeCodePoint(
        at offset: Int, into text: UnsafeMutableBufferPointer<UInt8>, _ count: inout Int
    ) -> Int {
        guard let unit = codeUnit(at: offset) else { return 2 }
        var value = UInt32(unit)
        var length = 6
        if UTF16.isLeadSurrogate(unit), let trail = codeUnit(at: offset + 6),
            UTF16.isTrailSurrogate(trail)
        {
            value = 0x10000 + (value & 0x3FF) << 10 + UInt32(trail) & 0x3FF
            length = 12
        }
        for byte in UTF8.encode(Unicode.Scalar(value) ?? "\u{FFFD}") ?? .init() {
            text[count] = byte
            count += 1
        }
        return length
    }

    /// The code unit that the `\u` escape at `offset` stands for.
    private func codeUnit(at offset: Int) -> UInt16? {
        guard bytes.count - offset >= 6, bytes[offset] == UInt8(ascii: "\\"),
            bytes[offset + 1] == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt16 = 0
        for digit in bytes[(offset + 2)..<(offset + 6)] {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = digit - UInt8(ascii: "A") + 10
            default: return nil
            }
            unit = unit << 4 | UInt16(value)
        }
        return unit
    }

    private static func character(forEscape byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }
}
