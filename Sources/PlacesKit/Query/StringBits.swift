/// The two words that a string is in memory: equal words are equal text, without a look at it.
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

    /// Whether the string has no storage, and ASCII only.
    @inline(__always)
    var isSmallASCII: Bool { second &>> 60 == 0xe }

    /// The number of bytes of text with storage that is ASCII only; `nil` where this does not tell.
    var storedASCIICount: UInt64? {
        let kind = second &>> 60
        return (kind == 0 || kind == 8) && first &>> 63 == 1 ? first & 0xffff_ffff_ffff : nil
    }

    /// Whether strings lie in memory as this type reads them.
    ///
    /// The standard library does not promise it, so it is tried with strings of every kind.
    static let isKnown: Bool = {
        guard MemoryLayout<String>.size == 16 else { return false }
        let long = String(repeating: "stored ", count: 3)
        let samples = ["", "a", "fifteen letters", "é", long, long + "é"]
        let bits = samples.map { StringBits($0) }
        return bits.map(\.isSmallASCII) == [true, true, true, false, false, false]
            && bits.map(\.storedASCIICount) == [nil, nil, nil, nil, 21, nil]
    }()
}

extension Column {
    /// The candidates whose text is a constant of ASCII, or is not.
    func scanEqual(
        _ constant: String, isEqual: Bool, _ candidates: RowSet, _ nullAnswer: Bool?
    ) -> RowSet {
        let bits = StringBits(constant)
        let count = UInt64(constant.utf8.count)
        var result = candidates
        result.words.withUnsafeMutableBufferPointer { words in
            for index in words.indices where words[index] != 0 {
                let block = block(index / ChunkLayout.words)
                let word = index % ChunkLayout.words
                let texts = UnsafePointer(block.elements(of: String.self) + word * 64)
                var equal: UInt64 = 0
                var open: UInt64 = 0
                for bit in 0..<64 {
                    let other = StringBits(texts + bit)
                    let isSame = (other.first ^ bits.first) | (other.second ^ bits.second) == 0
                    equal |= (isSame ? 1 : 0) &<< UInt64(truncatingIfNeeded: bit)
                    // Small text of ASCII has one form; other text may be the same in another.
                    open |= (other.isSmallASCII ? 0 : 1) &<< UInt64(truncatingIfNeeded: bit)
                }
                open &= words[index] & ~equal
                while open != 0 {
                    let bit = open.trailingZeroBitCount
                    open &= open &- 1
                    if let other = StringBits(texts + bit).storedASCIICount, other != count {
                        continue
                    }
                    if texts[bit] == constant { equal |= 1 &<< UInt64(truncatingIfNeeded: bit) }
                }
                var answer = isEqual ? equal : ~equal
                switch nullAnswer {
                case nil: break
                case false?: answer &= block.validity[word]
                case true?: answer = answer & block.validity[word] | ~block.validity[word]
                }
                words[index] &= answer
            }
        }
        return result
    }
}
