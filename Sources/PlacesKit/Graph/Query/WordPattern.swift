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
        }

        let position: Position
        /// UTF-8 of the folded text.
        let bytes: ContiguousArray<UInt8>

        /// The text that is looked for, folded.
        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// The terms, each once.
    let terms: [Term]

    /// The words of a text that somebody typed.
    init(_ text: String, matching: WordMatching) {
        var terms: [Term] = []
        TextWords.withFolded(text) { bytes in
            func add(_ position: Term.Position, _ range: Range<Int>) {
                let term = Term(position: position, bytes: ContiguousArray(bytes[range]))
                if !terms.contains(term) { terms.append(term) }
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
        self.terms = terms
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

    /// How often folded text has the run of characters that the term is.
    func runs(in text: UnsafeBufferPointer<UInt8>) -> Int {
        bytes.withUnsafeBufferPointer { sought in
            guard sought.count <= text.count else { return 0 }
            return (0...text.count - sought.count).count { text.has(sought, at: $0) }
        }
    }

    /// Whether folded text has the term.
    func occurs(in text: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes.withUnsafeBufferPointer { sought in
            guard sought.count <= text.count else { return false }
            guard position != .run else { return text.contains(sought) }
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
            case .run:
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

    /// Whether other bytes, no more than these, are anywhere among them.
    fileprivate func contains(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
        (0...count - other.count).contains { has(other, at: $0) }
    }
}

/// How a search matches the words of its text with words of other text.
public enum WordMatching: Sendable, Hashable {
    /// Each search word is the beginning of a word: "eif tow" finds "Eiffel Tower".
    case prefixes
    /// Each search word is a whole word.
    case wholeWords
}
