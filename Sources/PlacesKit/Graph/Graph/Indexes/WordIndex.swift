/// An index of the words of a table's text: an ordered index with an entry for each word of a row.
///
/// An entry's group and key are the first twelve bytes of the word, so that words with a common
/// beginning lie together. Words that have more in common are one entry of a row, and whoever looks for
/// a longer word asks the text for the rest.
struct WordIndexLayout: Sendable {
    let column: IndexedColumn

    /// The entries of a row, in order, each once.
    func entries(_ row: Row, _ block: UnsafeMutableRawPointer) -> ContiguousArray<OrderedEntry> {
        guard !column.isNull(row, block) else { return [] }
        let text = block.elements(of: String.self)[row.offset]
        if text.isEmpty { return [] }
        var entries = ContiguousArray<OrderedEntry>()
        TextWords.withFolded(text) { bytes in
            TextWords.forEach(in: bytes) { word, _ in
                entries.append(WordKey(bytes[word]).entry(row))
            }
        }
        entries.sort { ($0.group, $0.key) < ($1.group, $1.key) }
        var count = 0
        for entry in entries where count == 0 || entries[count - 1] != entry {
            entries[count] = entry
            count += 1
        }
        entries.removeSubrange(count...)
        return entries
    }
}

/// What a word begins with, in the order of the bytes.
struct WordKey: Hashable, Comparable {
    /// How many bytes of a word a key tells.
    static let length = 12

    private var high: UInt32 = 0
    private var low: UInt64 = 0

    /// The key of a word in UTF-8; `filler` stands in for bytes that it does not have.
    init(_ word: Slice<UnsafeBufferPointer<UInt8>>, filler: UInt8 = 0) {
        for index in 0..<Self.length {
            let byte = index < word.count ? word[word.startIndex &+ index] : filler
            if index < 4 {
                high = high << 8 | UInt32(byte)
            } else {
                low = low << 8 | UInt64(byte)
            }
        }
    }

    static func < (left: WordKey, right: WordKey) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }

    /// The entry of a row that has the word.
    func entry(_ row: Row) -> OrderedEntry {
        OrderedEntry(group: Int32(bitPattern: high ^ 1 << 31), row: row, key: low)
    }
}

extension OrderedIndex {
    /// The positions of the entries of some words.
    func positions(of words: ClosedRange<WordKey>) -> Range<Int> {
        let start = position(of: words.lowerBound.entry(.min))
        return start..<max(start, position(of: words.upperBound.entry(.max)))
    }
}
