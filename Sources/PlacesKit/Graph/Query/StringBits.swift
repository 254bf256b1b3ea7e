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
            bits[4].storedCount == 21
        else { return false }
        let end = long.utf8.suffix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        return withExtendedLifetime(long) {
            bits[4].storedEnd.map(UInt64.init(littleEndian:)) == end
        }
    }()
}

extension Column {
    /// The candidates whose text is a constant of ASCII, or is not.
    func scanEqual(
        _ constant: String, isEqual: Bool, _ candidates: RowSet, _ nullAnswer: Bool?,
        _ writer: UInt64
    ) -> RowSet {
        let bits = StringBits(constant)
        let count = UInt64(constant.utf8.count)
        let end = bits.storedEnd
        let digest = TextDigests.digest(of: constant)
        var result = candidates
        result.words.withUnsafeMutableBufferPointer { words in
            for chunk in 0..<words.count / ChunkLayout.words {
                let first = chunk * ChunkLayout.words
                if words[first..<first + ChunkLayout.words].allSatisfy({ $0 == 0 }) { continue }
                let block = block(chunk)
                let texts = UnsafePointer(block.elements(of: String.self))
                let digests = settledChunk(chunk, writer: writer)?.digests
                for word in 0..<ChunkLayout.words where words[first + word] != 0 {
                    let asked = words[first + word]
                    var (equal, open): (UInt64, UInt64)
                    if let digests {
                        (equal, open) = (0, digests.rows(with: digest, inWord: word))
                    } else {
                        (equal, open) = bits.compare(texts + word * 64, count: count)
                    }
                    open &= asked & ~equal
                    while open != 0 {
                        let bit = open.trailingZeroBitCount
                        open &= open &- 1
                        let text = texts + word * 64 + bit
                        let other = StringBits(text)
                        // The end of the text is looked at without holding the strings: the column
                        // has them.
                        if let end, let ending = other.storedEnd, ending != end { continue }
                        if other == bits || text.pointee == constant {
                            equal |= 1 &<< UInt64(truncatingIfNeeded: bit)
                        }
                    }
                    var answer = isEqual ? equal : ~equal
                    switch nullAnswer {
                    case nil: break
                    case false?: answer &= block.validity[word]
                    case true?: answer = answer & block.validity[word] | ~block.validity[word]
                    }
                    words[first + word] = asked & answer
                }
            }
        }
        return result
    }
}

extension StringBits {
    /// Which of 64 texts are the same as this text of ASCII, and which may be in another form.
    @inline(__always)
    fileprivate func compare(
        _ texts: UnsafePointer<String>, count: UInt64
    ) -> (equal: UInt64, open: UInt64) {
        var equal: UInt64 = 0
        var open: UInt64 = 0
        for bit in 0..<64 {
            let other = StringBits(texts + bit)
            let isSame = (other.first ^ first) | (other.second ^ second) == 0
            equal |= (isSame ? 1 : 0) &<< UInt64(truncatingIfNeeded: bit)
            // Small text of ASCII has one form; other text may be the same in another.
            let isOther = other.isSmallASCII || other.isStoredASCII && other.storedCount != count
            open |= (isOther ? 0 : 1) &<< UInt64(truncatingIfNeeded: bit)
        }
        return (equal, open)
    }
}
