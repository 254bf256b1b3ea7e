import Foundation

/// Where the words of a pattern lie in a text.
struct WordHits {
    /// A word of the text, and which terms of the pattern lie in it.
    struct Word {
        var range: Range<String.Index>
        /// A bit for each of the first 64 terms.
        var terms: UInt64 = 0
    }

    /// All words of the text, in order.
    private(set) var words: [Word] = []
    /// What the terms match, in order: the beginning of a word, a word, or a run of characters.
    private(set) var ranges: [Range<String.Index>] = []

    init(_ pattern: WordPattern, in text: String) {
        let folded = FoldedCharacters(text)
        folded.bytes.withUnsafeBufferPointer { bytes in
            TextWords.forEach(in: bytes) { range, isSingle in
                var word = Word(range: folded.range(range))
                var longest = 0
                for (number, term) in pattern.terms.enumerated() where !term.isLong {
                    let isHit =
                        !isSingle
                        && (term.position == .word
                            ? bytes[range].elementsEqual(term.bytes)
                            : bytes[range].starts(with: term.bytes))
                    if !isHit { continue }
                    word.terms |= 1 << UInt64(min(number, 63))
                    longest = max(longest, term.bytes.count)
                }
                words.append(word)
                if longest > 0 {
                    ranges.append(
                        folded.range(range.lowerBound..<range.lowerBound + longest))
                }
            }
            for (number, term) in pattern.terms.enumerated() where term.isLong {
                for place in term.places(in: bytes) { add(folded.range(place), number) }
            }
        }
        ranges.sort { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
        // A run may lie in another one.
        ranges = ranges.reduce(into: []) { result, range in
            if let last = result.last, range.lowerBound < last.upperBound {
                result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
    }

    /// Notes where a run of characters or a phrase lies.
    private mutating func add(_ range: Range<String.Index>, _ number: Int) {
        ranges.append(range)
        let first = words.indices.endOfPrefix { words[$0].range.upperBound <= range.lowerBound }
        for index in first..<words.count {
            guard words[index].range.lowerBound < range.upperBound else { return }
            words[index].terms |= 1 << UInt64(min(number, 63))
        }
    }
}

/// The folded bytes of a text, and from which characters they come.
private struct FoldedCharacters {
    private(set) var bytes: ContiguousArray<UInt8> = []
    private let text: String
    /// Where the character of each byte begins; empty where that is the byte's own place, as in ASCII.
    private var starts: ContiguousArray<String.Index> = []

    init(_ text: String) {
        self.text = text
        if text.utf8.allSatisfy({ $0 < 128 && $0 != 13 }) {
            bytes = TextWords.withFolded(text) { ContiguousArray($0) }
            return
        }
        var index = text.startIndex
        while index < text.endIndex {
            let end = text.endOfExtendedCharacter(at: index)
            let character = TextWords.folding.fold(String(text[index..<end]))
                .precomposedStringWithCanonicalMapping
            for byte in character.utf8 {
                bytes.append(byte)
                starts.append(index)
            }
            index = end
        }
    }

    /// The characters of which some bytes come.
    func range(_ range: Range<Int>) -> Range<String.Index> {
        guard !starts.isEmpty else {
            let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
            return start..<text.utf8.index(start, offsetBy: range.count)
        }
        return starts[
            range.lowerBound]..<text.endOfExtendedCharacter(
                at: starts[range.upperBound - 1])
    }
}

extension String {
    /// Where a character ends, and all marks after it.
    ///
    /// A mark after a control character is a character by itself, but folding takes it away as it does after a letter.
    fileprivate func endOfExtendedCharacter(at start: Index) -> Index {
        var end = index(after: start)
        while end < endIndex {
            let properties = unicodeScalars[end].properties
            guard properties.isGraphemeExtend || properties.isEmojiModifier else { return end }
            formIndex(after: &end)
        }
        return end
    }
}
