/// The two words that a string is in memory, or where it would be: equal words are equal text, without a look at it.
struct StringBits: Equatable {
    let first: UInt64
    let second: UInt64

    /// The words of a string in memory, which is not retained.
    @inline(__always)
    init(_ string: UnsafePointer<String>) {
        let words = UnsafeRawPointer(string)
        first = words.load(as: UInt64.self)
        second = words.load(fromByteOffset: 8, as: UInt64.self)
    }

    init(_ string: String) {
        self = withUnsafePointer(to: string) { StringBits($0) }
    }

    /// Whether the string has storage that goes with the last of those who refer to it.
    @inline(__always)
    var isCounted: Bool { second &>> 63 == 0 && isString }

    /// Whether this is a string: its second word is an address, or has flags.
    @inline(__always)
    var isString: Bool { second != 0 }

    /// Whether the string has no storage, and ASCII only.
    @inline(__always)
    var isSmallASCII: Bool { second &>> 60 == 0xe }

    /// Whether the string is stored as ASCII only, and knows it.
    @inline(__always)
    var isStoredASCII: Bool {
        // Stored by the string itself, or for ever: 0 or 8 in the highest four bits.
        second & 0x7000_0000_0000_0000 == 0 && first &>> 63 == 1
    }

    /// The number of bytes of text with storage.
    @inline(__always)
    var storedCount: UInt64 { first & 0xffff_ffff_ffff }

    /// The last eight bytes of text that is stored as ASCII; `nil` where they lie elsewhere.
    @inline(__always)
    var storedEnd: UInt64? {
        guard isStoredASCII, first &>> 60 & 1 == 1, storedCount >= 8,
            let start = UnsafeRawPointer(bitPattern: UInt(second & 0x0fff_ffff_ffff_ffff))
        else { return nil }
        // A header of 32 bytes comes before the text.
        return start.loadUnaligned(fromByteOffset: 24 + Int(storedCount), as: UInt64.self)
    }

    /// Whether strings lie in memory as this type reads them.
    ///
    /// The standard library does not promise it, so it is tried with strings of every kind.
    static let isKnown: Bool = {
        guard MemoryLayout<String>.size == 16 else { return false }
        let long = String(repeating: "stored ", count: 3)
        let samples = ["", "a", "fifteen letters", "é", long, long + "é"]
        let bits = samples.map { StringBits($0) }
        guard bits.map(\.isSmallASCII) == [true, true, true, false, false, false],
            bits.map(\.isStoredASCII) == [false, false, false, false, true, false],
            bits.map(\.isCounted) == [false, false, false, false, true, true],
            bits[4].storedCount == 21, bits.allSatisfy(\.isString)
        else { return false }
        let end = long.utf8.suffix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        return withExtendedLifetime(long) {
            bits[4].storedEnd.map(UInt64.init(littleEndian:)) == end
        }
    }()
}
