import Foundation

/// The words of text, as searches know them.
///
/// Words are runs of letters, marks and digits of the text in which neither case nor accents show. In
/// scripts that are written without spaces between words each character stands alone, and so does
/// every symbol, such as an emoji, a `€` or a `+`; all other characters only separate.
enum TextWords {
    /// What differences do not count in words.
    static let folding: TextFolding = [.caseInsensitive, .diacriticInsensitive]

    /// Calls `body` with UTF-8 of the folded and composed text, which lasts as long as the call.
    static func withFolded<Result>(
        _ text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        let quick = text.utf8.withContiguousStorageIfAvailable { utf8 -> Result? in
            guard utf8.allSatisfy({ $0 < 128 }) else { return nil }
            return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: utf8.count) { bytes in
                for (index, byte) in utf8.enumerated() {
                    bytes.initializeElement(
                        at: index, to: (65...90).contains(byte) ? byte | 32 : byte)
                }
                return body(UnsafeBufferPointer(bytes))
            }
        }
        if let result = quick ?? nil { return result }
        var folded = folding.fold(text).precomposedStringWithCanonicalMapping
        return folded.withUTF8(body)
    }

    /// Calls `body` with the range of each word of folded text, and whether it is a character that
    /// stands alone.
    @inline(__always)
    static func forEach(
        in bytes: UnsafeBufferPointer<UInt8>, _ body: (Range<Int>, _ isSingle: Bool) -> Void
    ) {
        var start = -1
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            let length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
            let role = byte < 0x80 ? role(ofASCII: byte) : role(bytes, at: index, length)
            switch role {
            case .letter: if start < 0 { start = index }
            case .mark: break
            case .single, .separator:
                if start >= 0 { body(start..<index, false) }
                start = -1
                if role == .single { body(index..<index &+ length, true) }
            }
            index &+= length
        }
        if start >= 0 { body(start..<bytes.count, false) }
    }

    /// What a character is to words.
    private enum Role {
        case letter
        /// Part of the word before it.
        case mark
        case single
        case separator
    }

    @inline(__always)
    private static func role(ofASCII byte: UInt8) -> Role {
        switch byte {
        case 97...122, 48...57: .letter
        // $, +, <, =, >, | and ~, by the same categories as all others.
        case 36, 43, 60...62, 124, 126: .single
        default: .separator
        }
    }

    /// The role of the character of several bytes at an index.
    @inline(never)
    private static func role(
        _ bytes: UnsafeBufferPointer<UInt8>, at index: Int, _ length: Int
    ) -> Role {
        // Folded text is a string's own, so the bytes that follow are there.
        var value = UInt32(bytes[index]) & (0x7f >> UInt32(length))
        for next in index &+ 1..<index &+ length {
            value = value << 6 | UInt32(bytes[next] & 0x3f)
        }
        guard let scalar = Unicode.Scalar(value) else { return .separator }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber, .letterNumber, .otherNumber:
            return scalar.isWrittenWithoutSpaces ? .single : .letter
        case .nonspacingMark, .spacingMark, .enclosingMark:
            return scalar.isWrittenWithoutSpaces ? .single : .mark
        case .otherSymbol, .currencySymbol, .mathSymbol: return .single
        default: return .separator
        }
    }
}

extension Unicode.Scalar {
    /// Whether the character is of a script that does not part words by spaces.
    ///
    /// By Unicode's blocks: those of the ideographs of China, Japan, Korea and Vietnam, of kana,
    /// Bopomofo and Yi, and of Thai, Lao, Burmese, Khmer, the scripts of the Tai, Javanese and Balinese.
    fileprivate var isWrittenWithoutSpaces: Bool {
        switch value {
        case 0x0e00...0x0eff, 0x1000...0x109f, 0x1780...0x17ff, 0x1950...0x19ff, 0x1a20...0x1aaf,
            0x1b00...0x1b7f, 0x2e80...0x2fdf, 0x3005...0x3007, 0x3021...0x3029, 0x3038...0x303b,
            0x3041...0x312f, 0x31a0...0x31bf, 0x31f0...0x31ff, 0x3400...0x4dbf, 0x4e00...0xa4cf,
            0xa980...0xa9ff, 0xaa60...0xaadf, 0xf900...0xfaff, 0xff66...0xff9f, 0x1aff0...0x1b2ff,
            0x20000...0x3fffd:
            true
        default: false
        }
    }
}
