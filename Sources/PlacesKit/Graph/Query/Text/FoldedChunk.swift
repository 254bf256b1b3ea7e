import Foundation

/// The texts of a chunk, folded: made once, and searched as one run of bytes.
///
/// It keeps the strings that it was made of, and so tells whether the chunk still holds them: text that
/// somebody holds is never changed where it lies. Texts that are packed are the same as long as they are.
final class FoldedChunk: Sendable {
    /// None, if it was made of texts that were packed.
    private let texts: ContiguousArray<String>
    /// UTF-8 of the folded and composed texts, with a byte after each that no text has.
    private let bytes: ContiguousArray<UInt8>
    /// Where the texts begin, and where the last one ends.
    private let starts: ContiguousArray<Int32>
    /// The rows whose folded text is ASCII without carriage returns: each byte is a character.
    private let plain: ContiguousArray<UInt64>

    private static let end: UInt8 = 0xff

    private init(_ block: UnsafeMutableRawPointer, _ folding: TextFolding) {
        var bytes = ContiguousArray<UInt8>()
        var starts = ContiguousArray<Int32>()
        var plain = ContiguousArray<UInt64>(repeating: 0, count: ChunkLayout.words)
        starts.reserveCapacity(ChunkLayout.rows + 1)
        for row in 0..<ChunkLayout.rows {
            starts.append(Int32(truncatingIfNeeded: bytes.count))
            var isPlain = true
            if !bytes.append(plainTextOf: block, at: row, folding) {
                let folded = folding.fold(block.text(at: row))
                isPlain = folded.utf8.allSatisfy { $0 < 128 && $0 != 13 }
                bytes.append(
                    contentsOf: isPlain
                        ? folded.utf8 : folded.precomposedStringWithCanonicalMapping.utf8)
            }
            if isPlain { plain[row >> 6] |= 1 << UInt64(row & 63) }
            bytes.append(Self.end)
        }
        starts.append(Int32(truncatingIfNeeded: bytes.count))
        self.bytes = bytes
        self.starts = starts
        self.plain = plain
        // Asked afterwards: if strings were made meanwhile, they are of the same texts.
        texts =
            block.isPacked
            ? []
            : ContiguousArray(
                UnsafeBufferPointer(start: block.slots(of: String.self), count: ChunkLayout.rows))
    }

    /// The folded texts of a chunk, those made before if they still hold.
    static func of(
        _ column: Column, _ chunk: Int, _ folding: TextFolding
    ) -> FoldedChunk? {
        guard StringBits.isKnown, let companions = column.companions(chunk) else { return nil }
        let block = column.block(chunk)
        if let known = companions[folding.rawValue] as? FoldedChunk, known.holds(block) {
            return known
        }
        let made = FoldedChunk(block, folding)
        // Texts of four gigabytes in a chunk are searched one by one.
        guard made.bytes.count < Int32.max else { return nil }
        companions[folding.rawValue] = made
        return made
    }

    private func holds(_ block: UnsafeMutableRawPointer) -> Bool {
        guard !block.isPacked, !texts.isEmpty else { return block.isPacked && texts.isEmpty }
        let elements = UnsafePointer(block.slots(of: String.self))
        return texts.withUnsafeBufferPointer { texts in
            guard let texts = texts.baseAddress else { return false }
            var difference: UInt64 = 0
            for row in 0..<ChunkLayout.rows {
                let (a, b) = (StringBits(texts + row), StringBits(elements + row))
                difference |= (a.first ^ b.first) | (a.second ^ b.second)
            }
            return difference == 0
        }
    }

    /// Hands the folded text of a row to `body`.
    func withText<Result>(
        at row: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        bytes.withUnsafeBufferPointer { bytes in
            let text = bytes[Int(starts[row])..<Int(starts[row + 1]) - 1]
            return body(UnsafeBufferPointer(rebasing: text))
        }
    }

    // MARK: - Searching

    /// Calls `body` with the rows whose bytes pass a test, and whether that decides it.
    func forEachMatch(_ search: FoldedSearch, _ body: (Int, Bool) -> Void) {
        bytes.withUnsafeBufferPointer { bytes in
            switch search.operation {
            case .contains, .words, .wordPrefixes:
                var (row, position) = (0, 0)
                while let hit = search.next(in: bytes, from: position) {
                    while Int(starts[row + 1]) <= hit { row += 1 }
                    position = Int(starts[row + 1])
                    guard let words = search.words else {
                        body(row, isPlain(row))
                        continue
                    }
                    if withText(at: row, { words.matches(folded: $0) }) { body(row, true) }
                }
            case .beginsWith:
                for row in 0..<ChunkLayout.rows
                where search.isAt(Int(starts[row]), in: bytes, before: Int(starts[row + 1]) - 1) {
                    body(row, isPlain(row))
                }
            case .endsWith, .like, .matches: break
            }
        }
    }

    private func isPlain(_ row: Int) -> Bool { plain[row >> 6] >> UInt64(row & 63) & 1 != 0 }
}

/// What folded text is searched for: bytes that every text that passes a test has.
struct FoldedSearch {
    let operation: TextOperator
    private let pattern: ContiguousArray<UInt8>
    /// Whether the bytes decide for plain text.
    let isPlain: Bool
    /// The words that are looked for, if any are.
    fileprivate let words: WordPattern?
    /// How far the search goes on past each byte.
    private let skips: ContiguousArray<UInt8>

    /// `nil` for tests that have no such bytes.
    init?(_ test: TextTest) {
        operation = test.operation
        words = test.words
        if let words {
            // The longest term says most, and the folded text all.
            pattern = words.terms.map(\.literal).max { $0.count < $1.count } ?? []
            isPlain = true
        } else {
            guard !test.folding.isEmpty, operation == .contains || operation == .beginsWith else {
                return nil
            }
            let folded = test.folding.fold(test.pattern)
            isPlain = folded.utf8.allSatisfy { $0 < 128 && $0 != 13 }
            pattern = ContiguousArray(folded.precomposedStringWithCanonicalMapping.utf8)
        }
        guard !pattern.isEmpty else { return nil }
        let longest = UInt8(truncatingIfNeeded: min(pattern.count, 255))
        var skips = ContiguousArray(repeating: longest, count: 256)
        for (index, byte) in pattern.dropLast().enumerated() {
            skips[Int(byte)] = UInt8(
                truncatingIfNeeded: min(pattern.count - 1 - index, Int(longest)))
        }
        self.skips = skips
    }

    /// Where the pattern comes next (Horspool's search).
    fileprivate func next(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        pattern.withUnsafeBufferPointer { pattern in
            skips.withUnsafeBufferPointer { skips in
                let last = pattern.count - 1
                let final = pattern[last]
                var (position, vain) = (start + last, 0)
                while position < bytes.count {
                    let byte = bytes[position]
                    if byte == final {
                        var index = 0
                        while index < last, bytes[position - last + index] == pattern[index] {
                            index += 1
                        }
                        if index == last { return position - last }
                        vain += index
                        if vain > 4 * (position - start) {
                            return bytes.firstPosition(of: pattern, from: position - last + 1)
                        }
                    }
                    position &+= Int(skips[Int(byte)])
                }
                return nil
            }
        }
    }

    /// Whether the pattern is at a position.
    fileprivate func isAt(
        _ position: Int, in bytes: UnsafeBufferPointer<UInt8>, before end: Int
    ) -> Bool {
        guard end - position >= pattern.count else { return false }
        for (index, byte) in pattern.enumerated() where bytes[position + index] != byte {
            return false
        }
        return true
    }
}

extension Column {
    /// The candidates whose folded text passes a test; `nil` where folded texts are of no use.
    func scanFolded(
        _ test: TextTest, _ candidates: RowSet, _ nullAnswer: Bool?
    ) -> RowSet? {
        guard let search = FoldedSearch(test) else { return nil }
        var result = candidates.emptied
        for chunk in 0..<result.words.count / ChunkLayout.words {
            let words = chunk * ChunkLayout.words..<(chunk + 1) * ChunkLayout.words
            let asked = words.reduce(0) { $0 + candidates.words[$1].nonzeroBitCount }
            if asked == 0 { continue }
            let block = block(chunk)
            func take(_ row: Int) {
                result.words[words.lowerBound + row >> 6] |= 1 << UInt64(row & 63)
            }
            // Few are asked for less than it takes to look whether the chunk has changed.
            if asked >= 64, let folded = FoldedChunk.of(self, chunk, test.folding) {
                folded.forEachMatch(search) { row, isPlain in
                    if isPlain && search.isPlain || test.passes(block.text(at: row)) { take(row) }
                }
            } else {
                for row in 0..<ChunkLayout.rows
                where candidates.words[words.lowerBound + row >> 6] >> UInt64(row & 63) & 1 != 0 {
                    if test.passes(block.text(at: row)) { take(row) }
                }
            }
            for word in words {
                result.words[word] &= candidates.words[word]
                if nullAnswer == false {
                    result.words[word] &= block.validity[word - words.lowerBound]
                }
            }
        }
        return result
    }
}

extension ContiguousArray<UInt8> {
    /// Appends the folded text of a row if it is ASCII without carriage returns; returns whether it is.
    fileprivate mutating func append(
        plainTextOf block: UnsafeMutableRawPointer, at row: Int, _ folding: TextFolding
    ) -> Bool {
        block.readPacked(at: row) { append(plain: $0, folding) }
            ?? block.slots(of: String.self)[row].utf8.withContiguousStorageIfAvailable {
                append(plain: UnsafeRawBufferPointer($0), folding)
            } ?? false
    }

    private mutating func append(
        plain text: UnsafeRawBufferPointer, _ folding: TextFolding
    ) -> Bool {
        let start = count
        let lowers = folding.contains(.caseInsensitive)
        for byte in text {
            guard byte < 128, byte != 13 else {
                removeSubrange(start...)
                return false
            }
            append(lowers && (65...90).contains(byte) ? byte | 32 : byte)
        }
        return true
    }
}
