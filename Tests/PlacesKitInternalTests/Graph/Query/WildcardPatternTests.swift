import PlacesKit
import Testing

@testable import PlacesGraph

/// Which texts match a pattern with `?` and `*`.
@Suite struct WildcardPatternTests {
    /// All texts of so many letters at most.
    private static func texts(of letters: [Character], upTo count: Int) -> [String] {
        var (all, longest) = ([""], [""])
        for _ in 0..<count {
            longest = longest.flatMap { text in letters.map { text + String($0) } }
            all += longest
        }
        return all
    }

    private func matches(_ text: Substring, _ pattern: Substring) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        if first == "*", matches(text, pattern.dropFirst()) { return true }
        guard let character = text.first else { return false }
        return switch first {
        case "*": matches(text.dropFirst(), pattern)
        case "?", character: matches(text.dropFirst(), pattern.dropFirst())
        default: false
        }
    }

    private func mismatches(_ patterns: [String], _ texts: [String]) -> [String] {
        patterns.flatMap { text -> [String] in
            let pattern = WildcardPattern(text)
            return texts.filter { pattern.matches($0) != matches($0[...], text[...]) }.map {
                "\($0) LIKE \(text)"
            }
        }
    }

    @Test func `short texts match short patterns as trying everything says`() {
        let patterns = Self.texts(of: ["a", "b", "?", "*"], upTo: 5)
        #expect(mismatches(patterns, Self.texts(of: ["a", "b"], upTo: 6)) == [])
    }

    @Test func `characters between two stars are found where they overlap with themselves`() {
        let runs = Self.texts(of: ["a", "b"], upTo: 6)
        let patterns = runs.map { "*\($0)*" } + runs.map { "*\($0)" } + runs.map { "b*\($0)*a" }
        #expect(mismatches(patterns, Self.texts(of: ["a", "b"], upTo: 9)) == [])
    }

    @Test func `long runs with question marks match what they were made of`() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<400 {
            let parts = (0..<1 + random.below(200)).map { _ in random.pick(Array("aab??")) }
            let run = String(parts)
            let fitting = String(parts.map { $0 == "?" ? random.pick(["a", "b"]) : $0 })
            let before = (0..<random.below(80)).map { _ in random.pick(["a", "b"]) }.joined()
            for (pattern, end) in [("*\(run)*", "ab"), ("*\(run)", ""), ("*\(run)*?c*", "bbcb")] {
                let text = before + fitting + end
                #expect(WildcardPattern(pattern).matches(text), "\(text) LIKE \(pattern)")
                #expect(!WildcardPattern(pattern + "*d").matches(text), "\(text) LIKE \(pattern)*d")
            }
            let other = fitting.replacing("b", with: "c")
            #expect(!WildcardPattern("*b\(run)").matches(other), "\(other) LIKE *b\(run)")
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `thousands of question marks are found in long text without trying each place`() {
        let text = String(repeating: "a", count: 30_000)
        let pattern = WildcardPattern("*" + String(repeating: "a?", count: 1_500) + "b*")
        #expect(!pattern.matches(text))
        #expect(pattern.matches(text + "ab"))
    }

    @Test func `a character matches in each of its forms`() {
        #expect(WildcardPattern("*e\u{301}e*").matches("\u{e9}\u{e9}e"))
        #expect(WildcardPattern("*\u{e9}\u{e9}\u{e9}e").matches("e\u{301}\u{e9}e\u{301}\u{e9}e"))
        #expect(!WildcardPattern("*e*").matches("e\u{301}"))
    }
}
