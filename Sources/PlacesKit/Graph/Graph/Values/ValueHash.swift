import Foundation

/// The hashes under which indexes keep values: equal for equal values, and good for one process.
///
/// Words are multiplied and the two halves of the product folded together, as in Wang Yi's wyhash. The
/// keys are drawn anew by each process, so whoever chooses the values cannot choose them to collide.
enum ValueHash {
    private typealias Keys = (UInt64, UInt64)

    private static let keys: Keys = (.random(in: 0 ... .max), .random(in: 0 ... .max))

    @inline(__always)
    private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }

    @inline(__always)
    private static func finish(_ first: UInt64, _ second: UInt64, _ keys: Keys) -> Int {
        // An odd factor, so that no word but zero vanishes.
        let bits = fold(first ^ keys.0, (second ^ keys.1) | 1)
        return Int(truncatingIfNeeded: fold(bits ^ keys.1, 0x9e37_79b9_7f4a_7c15))
    }

    /// The hash of a word.
    @inline(__always)
    static func hash(_ word: UInt64) -> Int { finish(word, 0, keys) }

    /// The hash of two words.
    @inline(__always)
    static func hash(_ first: UInt64, _ second: UInt64) -> Int {
        let keys = keys
        return finish(fold(first ^ keys.1, 0xd6e8_feb8_6659_fd93), second, keys)
    }

    /// The hash of some bytes.
    static func hash(_ bytes: UnsafeRawBufferPointer) -> Int { hash(bytes, keys).hash }

    /// The hash of some bytes, and all their words in one, by which ASCII is told from other text.
    @inline(__always)
    private static func hash(
        _ bytes: UnsafeRawBufferPointer, _ keys: Keys
    ) -> (hash: Int, union: UInt64) {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return (finish(0, 0, keys), 0) }
        let count = bytes.count
        @inline(__always)
        func word(_ offset: Int) -> UInt64 {
            start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        }
        @inline(__always)
        func half(_ offset: Int) -> UInt64 {
            UInt64(start.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        }
        var state = UInt64(truncatingIfNeeded: count) &* 0x9e37_79b9_7f4a_7c15
        var union: UInt64 = 0
        var offset = 0
        while count &- offset > 16 {
            let (first, second) = (word(offset), word(offset &+ 8))
            union |= first | second
            state = fold(first ^ keys.1, second ^ state ^ keys.0)
            offset &+= 16
        }
        // The rest, 1 to 16 bytes, as two words that may overlap.
        let (first, second): (UInt64, UInt64)
        switch count &- offset {
        case 8...: (first, second) = (word(offset), word(count &- 8))
        case 4...: (first, second) = (half(offset), half(count &- 4))
        default:
            let middle = offset &+ (count &- offset) / 2
            first = UInt64(bytes[offset]) | UInt64(bytes[middle]) << 8
            second = UInt64(bytes[count &- 1])
        }
        return (finish(first, second ^ state, keys), union | first | second)
    }

    /// The hash of a text, the same for all texts that are canonically equivalent.
    @inline(__always)
    static func hash(_ text: String) -> Int {
        let found = text.utf8.withContiguousStorageIfAvailable {
            hash(UnsafeRawBufferPointer($0), keys)
        }
        guard let found, found.union & 0x8080_8080_8080_8080 == 0 else {
            return hash(withoutShortcut: text)
        }
        return found.hash
    }

    /// The hash of a text of valid UTF-8.
    static func textHash(_ utf8: UnsafeRawBufferPointer) -> Int {
        let found = hash(utf8, keys)
        guard found.union & 0x8080_8080_8080_8080 == 0 else {
            return hash(withoutShortcut: String(decoding: utf8, as: UTF8.self))
        }
        return found.hash
    }

    /// The hash of a text that is not ASCII, or not in one piece.
    @inline(never)
    private static func hash(withoutShortcut text: String) -> Int {
        var ascii: [UInt8] = []
        for scalar in text.unicodeScalars {
            guard let byte = scalar.equivalentASCII else { return text.hashValue }
            ascii.append(byte)
        }
        return ascii.withUnsafeBytes(hash)
    }
}

extension Unicode.Scalar {
    /// The ASCII character that is canonically equivalent to this one.
    ///
    /// Besides ASCII itself three characters have one; Unicode's stability policy keeps it so.
    var equivalentASCII: UInt8? {
        switch value {
        case 0..<0x80: UInt8(value)
        case 0x037e: UInt8(ascii: ";")  // Greek question mark
        case 0x1fef: UInt8(ascii: "`")  // Greek varia
        case 0x212a: UInt8(ascii: "K")  // Kelvin sign
        default: nil
        }
    }
}

extension ColumnElement {
    /// The hash under which an index keeps this value.
    @inline(__always)
    var indexHash: Int {
        if let text = self as? String { return ValueHash.hash(text) }
        if let number = self as? Int64 { return ValueHash.hash(UInt64(bitPattern: number)) }
        if let number = self as? Double {
            // Zero has two patterns, and is one value.
            return ValueHash.hash(number == 0 ? 0 : number.bitPattern)
        }
        if let identifier = self as? UUID {
            return withUnsafeBytes(of: identifier.uuid) { bytes in
                ValueHash.hash(
                    bytes.loadUnaligned(as: UInt64.self),
                    bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            }
        }
        if let data = self as? Data { return data.withUnsafeBytes(ValueHash.hash) }
        return hashValue
    }
}
