import Foundation

/// A test of text against a pattern that is the same for every row.
struct TextTest: Sendable {
    let operation: TextOperator
    let folding: TextFolding
    /// The pattern as it was written.
    let pattern: String
    private let folded: String
    private let matcher: PatternMatcher?

    /// A test, without folding and with a pattern that is plain text.
    init(_ operation: TextOperator, _ pattern: String, folding: TextFolding = []) {
        self.operation = operation
        self.folding = folding
        self.pattern = pattern
        folded = folding.fold(pattern)
        matcher = PatternMatcher(operation, folded)
    }

    /// Whether the pattern can be matched at all: a regular expression may be malformed.
    var isValid: Bool { matcher != nil || !operation.hasPattern }

    /// Whether text passes the test.
    func passes(_ text: String) -> Bool {
        if let matcher { return matcher.matches(folding.fold(text)) }
        return operation.holds(folding.fold(text), folded)
    }
}

/// What differences of text do not count.
struct TextFolding: OptionSet, Sendable, Hashable {
    let rawValue: UInt8

    /// Capital letters equal small ones.
    static let caseInsensitive = TextFolding(rawValue: 1)
    /// Letters with accents equal those without.
    static let diacriticInsensitive = TextFolding(rawValue: 2)

    /// Text in which what does not count is the same.
    func fold(_ text: String) -> String {
        if isEmpty || text.utf8.allSatisfy(isUnchanged) { return text }
        // Only letters of ASCII are left to fold, which the standard library does by itself.
        if text.utf8.allSatisfy({ $0 < 128 }) { return text.lowercased() }
        var options: String.CompareOptions = []
        if contains(.caseInsensitive) { options.insert(.caseInsensitive) }
        if contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
        return text.folding(options: options, locale: nil)
    }

    /// Whether folding leaves a byte as it is wherever it stands.
    private func isUnchanged(_ byte: UInt8) -> Bool {
        byte < 128 && (!contains(.caseInsensitive) || !(65...90).contains(byte))
    }
}

/// Matches text against a pattern with wildcards or a regular expression.
private enum PatternMatcher: Sendable {
    case wildcards(WildcardPattern)
    case expression(NSRegularExpression)

    /// `nil` where the operator has plain text for a pattern, or the pattern is malformed.
    init?(_ operation: TextOperator, _ pattern: String) {
        switch operation {
        case .like: self = .wildcards(WildcardPattern(pattern))
        case .matches:
            // What is malformed by itself may not be once it lies in a group.
            guard pattern.isEmpty || (try? NSRegularExpression(pattern: pattern)) != nil,
                let expression = try? NSRegularExpression(pattern: "(?:\(pattern))\\z")
            else { return nil }
            self = .expression(expression)
        default: return nil
        }
    }

    func matches(_ text: String) -> Bool {
        switch self {
        case .wildcards(let pattern): return pattern.matches(text)
        case .expression(let expression):
            let whole = NSRange(text.startIndex..., in: text)
            return expression.firstMatch(in: text, options: .anchored, range: whole) != nil
        }
    }
}
