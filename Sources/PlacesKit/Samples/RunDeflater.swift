/// Compresses runs of equal bytes into a zlib stream, with the fixed codes of RFC 1951.
struct RunDeflater {
    /// The smallest length of each length code, from 257 on; the extra bits are added to it.
    private static let lengths = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115,
        131,
        163, 195, 227, 258,
    ]
    private static let extraBits = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let modulus: UInt64 = 65_521

    /// The zlib header, then one block, which is the last and has fixed codes.
    private var bytes: [UInt8] = [0x78, 0x01]
    private var bits: UInt64 = 0b011
    private var bitCount = 3
    /// The two sums of Adler-32.
    private var sum: UInt64 = 1
    private var sumOfSums: UInt64 = 0

    /// Adds `count` equal bytes.
    mutating func add(_ byte: UInt8, count: Int) {
        guard count > 0 else { return }
        let (number, value) = (UInt64(count), UInt64(byte))
        let triangle = number % 2 == 0 ? number / 2 * (number + 1) : (number + 1) / 2 * number
        sumOfSums =
            (sumOfSums + number % Self.modulus * sum + triangle % Self.modulus * value)
            % Self.modulus
        sum = (sum + number % Self.modulus * value) % Self.modulus

        appendLiteral(byte)
        var rest = count - 1
        while rest >= 3 {
            let length = min(258, rest)
            appendRepetition(length)
            rest -= length
        }
        for _ in 0..<rest { appendLiteral(byte) }
    }

    /// The whole stream.
    func finish() -> [UInt8] {
        var stream = self
        stream.appendCode(0, count: 7)
        if stream.bitCount % 8 != 0 { stream.append(0, count: 8 - stream.bitCount % 8) }
        return stream.bytes
            + withUnsafeBytes(of: UInt32(sumOfSums << 16 | sum).bigEndian) { Array($0) }
    }

    private mutating func appendLiteral(_ byte: UInt8) {
        if byte < 144 {
            appendCode(0x30 + UInt64(byte), count: 8)
        } else {
            appendCode(0x190 + UInt64(byte) - 144, count: 9)
        }
    }

    /// Repeats the last byte.
    private mutating func appendRepetition(_ length: Int) {
        guard let index = Self.lengths.lastIndex(where: { $0 <= length }) else { return }
        if index < 23 {
            appendCode(UInt64(index) + 1, count: 7)
        } else {
            appendCode(0xC0 + UInt64(index) - 23, count: 8)
        }
        append(UInt64(length - Self.lengths[index]), count: Self.extraBits[index])
        // Distance 1.
        appendCode(0, count: 5)
    }

    /// Adds a Huffman code, beginning with its highest bit.
    private mutating func appendCode(_ code: UInt64, count: Int) {
        var reversed: UInt64 = 0
        for bit in 0..<count where code >> UInt64(bit) & 1 == 1 {
            reversed |= 1 << UInt64(count - 1 - bit)
        }
        append(reversed, count: count)
    }

    /// Adds bits, beginning with the lowest.
    private mutating func append(_ value: UInt64, count: Int) {
        bits |= value << UInt64(bitCount)
        bitCount += count
        while bitCount >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: bits))
            bits >>= 8
            bitCount -= 8
        }
    }
}
