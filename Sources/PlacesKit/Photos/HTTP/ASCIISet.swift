/// A set of ASCII characters, as bits.
struct ASCIISet {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    static let alphanumerics = ASCIISet(
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")

    /// The characters of a text; those that are not ASCII are left out.
    init(_ characters: String) {
        for byte in characters.utf8 where byte < 128 {
            if byte < 64 { low |= 1 << byte } else { high |= 1 << (byte - 64) }
        }
    }

    /// The characters of both sets.
    func union(_ other: ASCIISet) -> ASCIISet {
        var union = self
        union.low |= other.low
        union.high |= other.high
        return union
    }

    /// Whether a byte is one of these characters.
    @inline(__always)
    func contains(_ byte: UInt8) -> Bool { bit(byte) != 0 }

    /// Whether all bytes are in the set; tests them without branches, since most are.
    func containsAll(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var isMember: UInt64 = 1
        for byte in bytes { isMember &= bit(byte) }
        return isMember != 0
    }

    /// 1 if a byte is in the set, else 0.
    @inline(__always)
    private func bit(_ byte: UInt8) -> UInt64 {
        let half = byte & 64 == 0 ? low : high
        return half &>> UInt64(byte) & UInt64(~byte >> 7)
    }
}
