/// The scans over raw bytes that the reader and the writer share.
@usableFromInline
package enum JSONScan {
    /// The first byte from `offset` on that has to be escaped in a string, or the end.
    ///
    /// Such bytes are the quotation mark, the backslash and control characters. The loop looks at
    /// eight bytes together. In each of its three tests a borrow can only spoil bytes above one
    /// that truly matches, so the lowest mark is always right.
    @inlinable @inline(__always)
    package static func endOfPlainText(in bytes: UnsafeRawBufferPointer, from offset: Int) -> Int {
        var bits: UInt64 = 0
        return endOfPlainText(in: bytes, from: offset, &bits)
    }

    /// The same; also adds the bits of the bytes before the end to `bits`, which then tell ASCII.
    @inlinable @inline(__always)
    package static func endOfPlainText(
        in bytes: UnsafeRawBufferPointer, from offset: Int, _ bits: inout UInt64
    ) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var position = offset
        while bytes.count - position >= 8 {
            let word = UInt64(
                littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            let quotes = word ^ (ones &* 0x22)
            let backslashes = word ^ (ones &* 0x5C)
            let found =
                ((quotes &- ones) & ~quotes)
                | ((backslashes &- ones) & ~backslashes)
                | ((word &- ones &* 0x20) & ~word)
            let marks = found & (ones &* 0x80)
            if marks != 0 {
                let count = marks.trailingZeroBitCount / 8
                bits |= word & (1 &<< UInt64(8 * count) &- 1)
                return position + count
            }
            bits |= word
            position += 8
        }
        while position < bytes.count, !needsEscape(bytes[position]) {
            bits |= UInt64(bytes[position])
            position += 1
        }
        return position
    }

    /// Whether the bits that a scan collected are those of ASCII.
    @inlinable @inline(__always)
    package static func isASCII(_ bits: UInt64) -> Bool { bits & 0x8080_8080_8080_8080 == 0 }

    /// Whether a byte has to be escaped in a string.
    @inlinable @inline(__always)
    package static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// Whether `text` stands in `bytes` at `offset`.
    @inlinable @inline(__always)
    package static func matches(
        _ text: UnsafeRawBufferPointer, in bytes: UnsafeRawBufferPointer, at offset: Int
    ) -> Bool {
        let count = text.count
        guard bytes.count - offset >= count else { return false }
        func agrees<Word: FixedWidthInteger>(at position: Int, _: Word.Type) -> Bool {
            text.loadUnaligned(fromByteOffset: position, as: Word.self)
                == bytes.loadUnaligned(fromByteOffset: offset + position, as: Word.self)
        }
        // The last word overlaps the one before it.
        switch count {
        case 8...:
            var position = 0
            while count - position > 8 {
                guard agrees(at: position, UInt64.self) else { return false }
                position += 8
            }
            return agrees(at: count - 8, UInt64.self)
        case 4...:
            return agrees(at: 0, UInt32.self) && agrees(at: count - 4, UInt32.self)
        default:
            return (0..<count).allSatisfy { text[$0] == bytes[offset + $0] }
        }
    }

    /// The offset of the first byte in `range` that does not begin a well-formed UTF-8 sequence.
    ///
    /// The accepted sequences are those of table 3-7 of the Unicode standard.
    @usableFromInline
    package static func firstInvalidUTF8(
        in bytes: UnsafeRawBufferPointer, range: Range<Int>
    ) -> Int? {
        var position = range.lowerBound
        while position < range.upperBound {
            if range.upperBound - position >= 8,
                isASCII(bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
            {
                position += 8
            } else if bytes[position] < 0x80 {
                position += 1
            } else if let length = lengthOfSequence(in: bytes, at: position, range.upperBound) {
                position += length
            } else {
                return position
            }
        }
        return nil
    }

    /// The string of some UTF-8 bytes; `nil` if they are not UTF-8.
    ///
    /// The standard library's own initializer looks up the type of the encoding each time, which is
    /// slower.
    package static func string(of text: UnsafeRawBufferPointer) -> String? {
        guard firstInvalidUTF8(in: text, range: 0..<text.count) == nil else { return nil }
        return String(decoding: text.assumingMemoryBound(to: UInt8.self), as: UTF8.self)
    }

    /// The length of the well-formed sequence of two or more bytes that begins at a position.
    @inline(__always)
    private static func lengthOfSequence(
        in bytes: UnsafeRawBufferPointer, at position: Int, _ end: Int
    ) -> Int? {
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch bytes[position] {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return nil
        }
        guard end - position >= length, second.contains(bytes[position + 1]) else { return nil }
        for trail in (position + 2)..<(position + length) where bytes[trail] & 0xC0 != 0x80 {
            return nil
        }
        return length
    }
}
