/// A pattern in which `?` stands for any character and `*` for any number of them; a backslash
/// takes either word by word.
struct WildcardPattern: Sendable {
    private enum Part: Sendable, Equatable {
        case character(Character)
        case anyCharacter
        case anyNumber
    }

    private let parts: [Part]
    /// How many parts still match what was read where one does not, or none is left; where that is not known, as many as
    /// before.
    private let fallbacks: [Int]

    init(_ pattern: String) {
        var parts: [Part] = []
        var isEscaped = false
        for character in pattern {
            switch character {
            case _ where isEscaped:
                parts.append(.character(character))
                isEscaped = false
            case "\\": isEscaped = true
            case "?": parts.append(.anyCharacter)
            case "*": if parts.last != .anyNumber { parts.append(.anyNumber) }
            default: parts.append(.character(character))
            }
        }
        if isEscaped { parts.append(.character("\\")) }
        self.parts = parts
        fallbacks = Self.fallbacks(of: parts)
    }

    /// Looks in each run of characters for what it begins with, as Knuth, Morris and Pratt do.
    ///
    /// A run with `?` is left out: that two characters match it does not say that they match each other.
    private static func fallbacks(of parts: [Part]) -> [Int] {
        var fallbacks = Array(0...parts.count)
        for run in parts.indices.split(whereSeparator: { parts[$0] == .anyNumber })
        where !parts[run].contains(.anyCharacter) {
            fallbacks[run.startIndex + 1] = run.startIndex
            for index in run.dropFirst() {
                var border = fallbacks[index]
                while border > run.startIndex, parts[border] != parts[index] {
                    border = fallbacks[border]
                }
                fallbacks[index + 1] = parts[border] == parts[index] ? border + 1 : border
            }
        }
        return fallbacks
    }

    /// Whether the pattern matches the whole of a text.
    ///
    /// On a mismatch only the last `*` is tried again, further on: what an earlier one could take, the last could too.
    ///
    /// - Complexity: O(n + m), where no `?` comes after a `*`; otherwise O(n · m).
    func matches(_ text: String) -> Bool {
        var (position, part) = (text.startIndex, 0)
        var retry: (position: String.Index, part: Int)?
        while position < text.endIndex {
            if part < parts.count, parts[part] == .anyNumber {
                part += 1
                retry = (position, part)
            } else if part < parts.count, isMatch(parts[part], text[position]) {
                part += 1
                position = text.index(after: position)
            } else if let last = retry {
                if fallbacks[part] < part {
                    part = fallbacks[part]
                } else {
                    position = text.index(after: last.position)
                    part = last.part
                }
                if part == last.part { retry = (position, part) }
            } else {
                return false
            }
        }
        return parts[part...].allSatisfy { $0 == .anyNumber }
    }

    private func isMatch(_ part: Part, _ character: Character) -> Bool {
        switch part {
        case .character(let expected): expected == character
        case .anyCharacter: true
        case .anyNumber: false
        }
    }
}
