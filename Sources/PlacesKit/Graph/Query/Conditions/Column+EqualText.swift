extension Column {
    /// The candidates whose text is a constant of ASCII, or is not.
    func scanEqual(
        _ constant: String, isEqual: Bool, _ candidates: RowSet, _ nullAnswer: Bool?,
        _ writer: UInt64
    ) -> RowSet {
        // As short text of ASCII lies in columns: with room to grow, or from Objective-C, it has another form.
        let constant = String(decoding: ContiguousArray(constant.utf8), as: UTF8.self)
        let bits = StringBits(constant)
        let length = UInt64(constant.utf8.count)
        let end = bits.storedEnd
        let digest = TextDigests.digest(of: constant)
        var result = candidates
        result.words.withUnsafeMutableBufferPointer { words in
            for chunk in 0..<words.count / ChunkLayout.words {
                let first = chunk * ChunkLayout.words
                let count = words[first..<first + ChunkLayout.words]
                    .reduce(0) { $0 + $1.nonzeroBitCount }
                if count == 0 { continue }
                let block = block(chunk)
                // Few that are packed are compared one by one.
                let isSingle = block.isPacked && count < 64
                let digests = isSingle ? nil : settledChunk(chunk, writer: writer)?.digests
                for word in 0..<ChunkLayout.words where words[first + word] != 0 {
                    let asked = words[first + word]
                    var (equal, open): (UInt64, UInt64)
                    if let digests {
                        (equal, open) = (0, digests.rows(with: digest, inWord: word))
                    } else if isSingle {
                        (equal, open) = (0, asked)
                    } else {
                        (equal, open) = bits.compare(
                            block.elements(of: String.self) + word * 64, count: length)
                    }
                    open &= asked & ~equal
                    while open != 0 {
                        let bit = open.trailingZeroBitCount
                        open &= open &- 1
                        let row = word &* 64 &+ bit
                        let isSame =
                            block.readPacked(at: row) { constant.isCanonicallyEqual(to: $0) }
                            ?? bits.isEqual(block.slots(of: String.self) + row, constant, end)
                        if isSame { equal |= 1 &<< UInt64(truncatingIfNeeded: bit) }
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
    /// Whether a text is the same as the text of these bits, and of this ending.
    @inline(__always)
    fileprivate func isEqual(
        _ text: UnsafePointer<String>, _ constant: String, _ end: UInt64?
    ) -> Bool {
        let other = StringBits(text)
        // The end of the text is looked at without holding the strings: the column has them.
        if let end, let ending = other.storedEnd, ending != end { return false }
        return other == self || text.pointee == constant
    }

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
