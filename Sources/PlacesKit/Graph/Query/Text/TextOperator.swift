// NB: Foundation is not imported here. Its `contains` for text searches by other rules than the
// standard library's, which `Predicate.evaluate` uses: "abc" does not contain "" there.

/// How text is searched: by characters, so that canonically equivalent text is the same.
enum TextOperator: Sendable {
    case contains, beginsWith, endsWith
    /// The other text has the wildcards `?` and `*`.
    case like
    /// The other text is a regular expression of the whole.
    case matches
    /// Every word of the other text occurs.
    case words
    /// Every word of the other text begins one.
    case wordPrefixes

    /// Whether the other text is a pattern, and not itself what is looked for.
    var hasPattern: Bool { self == .like || self == .matches || isAboutWords }

    /// Whether words are looked for.
    var isAboutWords: Bool { self == .words || self == .wordPrefixes }

    /// Whether `text` relates so to `other`, which is not a pattern.
    func holds(_ text: String, _ other: String) -> Bool {
        let quick =
            text.utf8.withContiguousStorageIfAvailable { text -> Bool? in
                other.utf8.withContiguousStorageIfAvailable { other -> Bool? in
                    switch self {
                    case .contains: text.containsPlain(other)
                    case .beginsWith: text.startsPlain(with: other)
                    case .endsWith, .like, .matches, .words, .wordPrefixes: nil
                    }
                } ?? nil
            } ?? nil
        if let quick { return quick }
        return switch self {
        case .contains: text.containsElements(of: other)
        case .beginsWith: text.starts(with: other)
        case .endsWith: text.reversed().starts(with: other.reversed())
        case .like, .matches, .words, .wordPrefixes: false
        }
    }
}

extension Collection where Element: Equatable {
    /// The search for elements that every collection has, whatever a particular one has besides.
    fileprivate func containsElements(of other: some Collection<Element>) -> Bool {
        contains(other)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether every byte is a character by itself: ASCII, but not a carriage return, which makes
    /// one character with a line feed.
    private var isPlain: Bool {
        var bits: UInt8 = 0
        var returns = 0
        for byte in self {
            bits |= byte
            returns &+= byte == 13 ? 1 : 0
        }
        return bits < 128 && returns == 0
    }

    /// Whether plain text contains other plain text; `nil` where one is not plain.
    fileprivate func containsPlain(_ other: UnsafeBufferPointer<UInt8>) -> Bool? {
        guard !other.isEmpty, other.isPlain, isPlain else { return nil }
        return firstPosition(of: other) != nil
    }

    /// Whether text starts with plain text; `nil` where that is not plain, or where the bytes that
    /// decide are not.
    fileprivate func startsPlain(with other: UnsafeBufferPointer<UInt8>) -> Bool? {
        guard other.isPlain else { return nil }
        for (index, byte) in other.enumerated() {
            guard index < count else { return false }
            guard self[index] < 128, self[index] != 13 else { return nil }
            guard self[index] == byte else { return false }
        }
        // What follows may belong to the last character.
        guard other.count < count else { return true }
        return self[other.count] < 128 ? true : nil
    }
}
