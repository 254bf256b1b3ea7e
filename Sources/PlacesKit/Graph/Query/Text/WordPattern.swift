/// Words that are looked for in text.
struct WordPattern: Sendable {
    /// One thing that text must have.
    struct Term: Sendable, Hashable {
        /// How the bytes must lie in the folded text.
        enum Position: Sendable, Hashable {
            /// They are a word.
            case word
            /// They begin one.
            case prefix
            /// They lie anywhere: a run of characters, each of which stands alone.
            case run
            /// Those between spaces are words that come one after the other.
            case phrase
        }

        let position: Position
        /// UTF-8 of the folded text.
        let bytes: ContiguousArray<UInt8>

        /// The text that is looked for, folded.
        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// The terms, each once.
    let terms: [Term]

    /// The words of a text that somebody typed, and its phrases in quotation marks.
    init(_ text: String, matching: WordMatching) {
        var (terms, known) = ([Term](), Set<Term>())
        func add(_ term: Term) { if known.insert(term).inserted { terms.append(term) } }
        let parts = text.split(omittingEmptySubsequences: false) { "\"“”„".contains($0) }
        for (index, part) in parts.enumerated() {
            TextWords.withFolded(String(part)) { bytes in
                // What follows a mark without another one is being typed.
                if index % 2 == 1, index < parts.count - 1 {
                    Self.phrase(in: bytes).map(add)
                } else {
                    Self.forEachTerm(in: bytes, matching, add)
                }
            }
        }
        self.terms = terms
    }

    /// A pattern of one term.
    init(_ term: Term) { terms = [term] }

    /// What words between quotation marks mean; `nil` where there are none.
    private static func phrase(in bytes: UnsafeBufferPointer<UInt8>) -> Term? {
        var words: [Slice<UnsafeBufferPointer<UInt8>>] = []
        var isSingle = false
        TextWords.forEach(in: bytes) { word, isAlone in
            words.append(bytes[word])
            isSingle = isAlone
        }
        if words.isEmpty { return nil }
        return Term(
            position: words.count > 1 ? .phrase : isSingle ? .run : .word,
            bytes: ContiguousArray(words.joined(separator: [32])))
    }

    private static func forEachTerm(
        in bytes: UnsafeBufferPointer<UInt8>, _ matching: WordMatching, _ body: (Term) -> Void
    ) {
        func add(_ position: Term.Position, _ range: Range<Int>) {
            body(Term(position: position, bytes: ContiguousArray(bytes[range])))
        }
        var run = 0..<0
        TextWords.forEach(in: bytes) { word, isSingle in
            if isSingle, run.upperBound == word.lowerBound, !run.isEmpty {
                run = run.lowerBound..<word.upperBound
                return
            }
            if !run.isEmpty { add(.run, run) }
            run = isSingle ? word : 0..<0
            if !isSingle { add(matching == .wholeWords ? .word : .prefix, word) }
        }
        if !run.isEmpty { add(.run, run) }
    }

    /// Whether text has all terms.
    ///
    /// - Complexity: O(n · m) for a text of n words and m terms.
    func matches(_ text: String) -> Bool {
        TextWords.withFolded(text, matches(folded:))
    }

    /// Whether text that was folded and composed before has all terms.
    func matches(folded text: UnsafeBufferPointer<UInt8>) -> Bool {
        terms.allSatisfy { $0.occurs(in: text) }
    }
}

extension WordPattern.Term {
    /// Whether a word of folded text is the term, or begins with it.
    func fits(_ text: UnsafeBufferPointer<UInt8>, _ word: Range<Int>) -> Bool {
        bytes.withUnsafeBufferPointer { sought in
            (position == .word ? word.count == sought.count : word.count >= sought.count)
                && text.has(sought, at: word.lowerBound)
        }
    }

    /// Whether the term is more than one word, or none: where it lies is told by `places(in:)`.
    var isLong: Bool { position == .run || position == .phrase }

    /// Bytes that all text with the term has: a phrase may have other bytes between its words.
    var literal: ContiguousArray<UInt8> {
        position == .phrase ? ContiguousArray(words.max { $0.count < $1.count } ?? []) : bytes
    }

    private var words: [ArraySlice<UInt8>] { Array(bytes).split(separator: 32) }

    /// Where folded text has a run of characters, or a phrase.
    func places(in text: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        guard position == .phrase else {
            return bytes.withUnsafeBufferPointer { sought in
                var (places, end) = ([Range<Int>](), 0)
                while let start = text.firstPosition(of: sought, from: end) {
                    end = start + sought.count
                    places.append(start..<end)
                }
                return places
            }
        }
        let sought = words
        var ranges: [Range<Int>] = []
        TextWords.forEach(in: text) { word, _ in ranges.append(word) }
        guard sought.count <= ranges.count else { return [] }
        return (0...ranges.count - sought.count).compactMap { start in
            let places = ranges[start..<start + sought.count]
            guard zip(places, sought).allSatisfy({ text[$0].elementsEqual($1) }) else { return nil }
            return ranges[start].lowerBound..<ranges[start + sought.count - 1].upperBound
        }
    }

    /// Whether folded text has the term.
    func occurs(in text: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.withUnsafeBufferPointer { sought in
            // A phrase has spaces between its words, which text may go without.
            guard position != .phrase else { return !places(in: text).isEmpty }
            guard sought.count <= text.count else { return false }
            guard position != .run else { return text.firstPosition(of: sought) != nil }
            var isFound = false
            TextWords.forEach(in: text) { word, isSingle in
                if isFound || isSingle { return }
                isFound = fits(text, word)
            }
            return isFound
        }
    }

    /// Calls `body` with the keys between which the words of the term lie in an index, and returns
    /// whether every text that has words in all those ranges has the term.
    func forEachKey(_ body: (ClosedRange<WordKey>) -> Void) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            switch position {
            case .word:
                let key = WordKey(bytes[...])
                body(key...key)
                return bytes.count < WordKey.length
            case .prefix:
                body(WordKey(bytes[...])...WordKey(bytes[...], filler: .max))
                return bytes.count <= WordKey.length
            case .run, .phrase:
                var keys: Set<WordKey> = []
                var count = 0
                TextWords.forEach(in: bytes) { word, _ in
                    count += 1
                    let key = WordKey(bytes[word])
                    if keys.insert(key).inserted { body(key...key) }
                }
                return count == 1
            }
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether other bytes, which have room there, are at an offset.
    fileprivate func has(_ other: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
        for index in other.indices where self[start &+ index] != other[index] { return false }
        return true
    }
}

/// How a search matches the words of its text with words of other text.
public enum WordMatching: Sendable, Hashable {
    /// Each search word is the beginning of a word: "eif tow" finds "Eiffel Tower".
    case prefixes
    /// Each search word is a whole word.
    case wholeWords
}
