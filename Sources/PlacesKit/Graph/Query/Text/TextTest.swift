import Foundation

/// A test of text against a pattern that is the same for every row.
struct TextTest: Sendable {
    let operation: TextOperator
    let folding: TextFolding
    /// The pattern as it was written.
    let pattern: String
    private let folded: String
    private let matcher: PatternMatcher?

    /// A test; words are always folded, whatever `folding` says.
    init(_ operation: TextOperator, _ pattern: String, folding: TextFolding = []) {
        let folding = operation.isAboutWords ? TextWords.folding : folding
        self.operation = operation
        self.folding = folding
        self.pattern = pattern
        folded = (operation == .matches ? folding.aroundExpressions : folding).fold(pattern)
        // Words fold their pattern themselves, and text that is folded twice may be other text than that folded once.
        matcher = PatternMatcher(operation, operation.isAboutWords ? pattern : folded, folding)
    }

    /// A test of one term of a search.
    init(_ operation: TextOperator, _ term: WordPattern.Term) {
        self.operation = operation
        folding = TextWords.folding
        // As one would type it.
        let isQuoted =
            term.position == .phrase || term.position == .word && operation == .wordPrefixes
        pattern = isQuoted ? "\"\(term.text)\"" : term.text
        folded = pattern
        matcher = .words(WordPattern(term))
    }

    /// Whether the pattern can be matched at all: a regular expression may be malformed.
    var isValid: Bool { matcher != nil || !operation.hasPattern }

    /// The words that are looked for, where the test is about words.
    var words: WordPattern? {
        if case .words(let pattern)? = matcher { pattern } else { nil }
    }

    /// Whether text passes the test.
    func passes(_ text: String) -> Bool {
        if let matcher { return matcher.matches(text, folding) }
        return operation.holds(folding.fold(text), folded)
    }
}

/// Matches text against a pattern with wildcards, a regular expression or words.
private enum PatternMatcher: Sendable {
    case wildcards(WildcardPattern)
    case expression(NSRegularExpression, of: String)
    case words(WordPattern)

    /// `nil` where the operator has plain text for a pattern, or the pattern is malformed.
    init?(_ operation: TextOperator, _ pattern: String, _ folding: TextFolding) {
        switch operation {
        case .like: self = .wildcards(WildcardPattern(pattern))
        case .matches:
            let options: NSRegularExpression.Options =
                folding.contains(.caseInsensitive) ? .caseInsensitive : []
            func expression(_ pattern: String) -> NSRegularExpression? {
                try? NSRegularExpression(pattern: pattern, options: options)
            }
            // What is malformed by itself may not be once it lies in a group.
            guard pattern.isEmpty || expression(pattern) != nil else { return nil }
            // A comment ends with its line and a quotation with \E: either may go on to the end of the pattern.
            for end in ["", "\n", "\\E"] {
                if let expression = expression("(?:\(pattern)\(end))\\z") {
                    self = .expression(expression, of: pattern)
                    return
                }
            }
            return nil
        case .words: self = .words(WordPattern(pattern, matching: .wholeWords))
        case .wordPrefixes: self = .words(WordPattern(pattern, matching: .prefixes))
        case .contains, .beginsWith, .endsWith: return nil
        }
    }

    /// Whether text matches, from which `folding` takes what does not count.
    func matches(_ text: String, _ folding: TextFolding) -> Bool {
        switch self {
        case .wildcards(let pattern): return pattern.matches(folding.fold(text))
        case .words(let pattern): return pattern.matches(text)
        case .expression(let expression, let pattern):
            let budget = PatternBudget.current ?? PatternBudget()
            return budget.matches(folding.aroundExpressions.fold(text), expression, of: pattern)
        }
    }
}

extension TextFolding {
    /// What is folded in a regular expression and in the texts that it is matched with: not case, for `\D` means something
    /// else than `\d`, and an expression can look through case by itself.
    fileprivate var aroundExpressions: TextFolding { subtracting(.caseInsensitive) }
}
