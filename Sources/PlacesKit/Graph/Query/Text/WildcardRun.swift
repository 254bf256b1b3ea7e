/// What follows a `*` in a pattern, up to the next one: characters, and `?` for any.
struct WildcardRun: Sendable {
    /// How many `?` come first, which only say that so many characters precede the rest.
    private let skipped: Int
    /// The first character after them.
    private let first: Character?
    private let search: Search

    private enum Search: Sendable {
        case plain(PlainRun)
        case masked(MaskedRun)
    }

    /// A run; `nil` is any character.
    init(_ parts: [Character?]) {
        let rest = parts.drop { $0 == nil }
        skipped = parts.count - rest.count
        first = rest.first ?? nil
        let characters = rest.compactMap(\.self)
        search =
            characters.count == rest.count
            ? .plain(PlainRun(characters)) : .masked(MaskedRun(Array(rest)))
    }

    /// Whether the run occurs in the text that comes next, which is read to where the run ends first, or whether
    /// that text ends with the run.
    func find(in text: inout String.Iterator, toEnd: Bool) -> Bool {
        for _ in 0..<skipped {
            guard text.next() != nil else { return false }
        }
        guard let first else { return true }
        return switch search {
        case .plain(let run): run.find(in: &text, toEnd: toEnd)
        case .masked(let run): run.find(in: &text, from: first, toEnd: toEnd)
        }
    }
}

/// Characters without `?`, which are looked for as Knuth, Morris and Pratt do.
private struct PlainRun: Sendable {
    private let characters: [Character]
    /// How many characters still match what was read where one does not, or none is left.
    private let fallbacks: [Int]

    init(_ characters: [Character]) {
        self.characters = characters
        var fallbacks = Array(repeating: 0, count: characters.count + 1)
        for index in characters.indices.dropFirst() {
            var border = fallbacks[index]
            while border > 0, characters[border] != characters[index] {
                border = fallbacks[border]
            }
            fallbacks[index + 1] = characters[border] == characters[index] ? border + 1 : border
        }
        self.fallbacks = fallbacks
    }

    func find(in text: inout String.Iterator, toEnd: Bool) -> Bool {
        var matched = 0
        while let character = text.next() {
            while matched > 0, matched == characters.count || characters[matched] != character {
                matched = fallbacks[matched]
            }
            if characters[matched] == character { matched += 1 }
            if matched == characters.count, !toEnd { return true }
        }
        return matched == characters.count
    }
}

/// Characters with `?` among them.
///
/// That two characters match `?` does not say that they match each other, so a mismatch says little of what was read. But
/// all beginnings of the run that text ends with are known by a bit each, 64 of them in a step (shift-and).
private struct MaskedRun: Sendable {
    private typealias Word = UInt64
    /// The bit of the last part, in the last word.
    private let last: Word
    /// The bits of `?`.
    private let anywhere: [Word]
    /// The bits of each character, by their words; those without are left out, for a run may have as many characters as bits.
    private let places: [Character: [(word: Int, bits: Word)]]

    init(_ parts: [Character?]) {
        last = 1 << ((parts.count - 1) % Word.bitWidth)
        var anywhere = [Word](repeating: 0, count: (parts.count - 1) / Word.bitWidth + 1)
        var places: [Character: [(word: Int, bits: Word)]] = [:]
        for (index, part) in parts.enumerated() {
            let (word, bit) = index.quotientAndRemainder(dividingBy: Word.bitWidth)
            guard let part else {
                anywhere[word] |= 1 << bit
                continue
            }
            var known = places[part, default: []]
            if known.last?.word == word {
                known[known.endIndex - 1].bits |= 1 << bit
            } else {
                known.append((word, 1 << bit))
            }
            places[part] = known
        }
        self.anywhere = anywhere
        self.places = places
    }

    func find(in text: inout String.Iterator, from first: Character, toEnd: Bool) -> Bool {
        // Bit i says that the text so far ends with the first i + 1 parts.
        var matched = [Word](repeating: 0, count: anywhere.count)
        // How many words have bits.
        var reach = 0
        while let character = text.next() {
            if reach == 0, character != first { continue }
            var known = places[character, default: []][...]
            var carry: Word = 1
            let words = min(reach + 1, matched.count)
            reach = 0
            for word in 0..<words {
                var mask = anywhere[word]
                if known.first?.word == word { mask |= known.removeFirst().bits }
                let before = matched[word]
                matched[word] = (before << 1 | carry) & mask
                carry = before >> (Word.bitWidth - 1)
                if matched[word] != 0 { reach = word + 1 }
            }
            if !toEnd, reach == matched.count, matched[reach - 1] & last != 0 { return true }
        }
        return matched[matched.count - 1] & last != 0
    }
}
