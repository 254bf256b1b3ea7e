/// A pattern in which `?` stands for any character and `*` for any number of them; a backslash
/// takes either word by word.
struct WildcardPattern: Sendable {
    /// What text begins with, before the first `*`; `nil` is any character.
    private let beginning: [Character?]
    /// What follows each `*`.
    private let runs: [WildcardRun]

    init(_ pattern: String) {
        var runs: [[Character?]] = [[]]
        var isEscaped = false
        for character in pattern {
            switch character {
            case _ where isEscaped:
                runs[runs.endIndex - 1].append(character)
                isEscaped = false
            case "\\": isEscaped = true
            case "?": runs[runs.endIndex - 1].append(nil)
            case "*": runs.append([])
            default: runs[runs.endIndex - 1].append(character)
            }
        }
        if isEscaped { runs[runs.endIndex - 1].append("\\") }
        beginning = runs[0]
        self.runs = runs.dropFirst().map(WildcardRun.init)
    }

    /// Whether the pattern matches the whole of a text.
    ///
    /// Each run is taken where it comes first: what follows it could be found there, too, if it is found further on. The
    /// last one must end where the text ends.
    ///
    /// - Complexity: O(n + m), where no `?` comes after a `*`; otherwise O(n · m / 64).
    func matches(_ text: String) -> Bool {
        var rest = text.makeIterator()
        for part in beginning {
            guard let character = rest.next(), part == nil || part == character else {
                return false
            }
        }
        guard let last = runs.last else { return rest.next() == nil }
        for run in runs.dropLast() {
            guard run.find(in: &rest, toEnd: false) else { return false }
        }
        return last.find(in: &rest, toEnd: true)
    }
}
