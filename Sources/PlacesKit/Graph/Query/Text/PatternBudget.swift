import Foundation
import Synchronization

/// How many steps the regular expressions of a query may take beyond those of a linear matcher.
///
/// The matcher goes back and forth, so that some patterns take time that doubles with each character. It
/// reports every 10,000 steps, and what is counted are these reports: the same query of the same graph
/// always comes to the same.
///
/// - What takes less than 10,000 steps for a text is not reported, and free.
/// - For each text, as many steps are free as a linear matcher takes: one for each character of the text
///   and each of the pattern.
final class PatternBudget: Sendable {
    /// The budget of the query that runs.
    @TaskLocal static var current: PatternBudget?

    private struct State {
        var reports = PatternBudget.limit
        /// The pattern that took too many steps.
        var exhausting: String?
    }

    /// A report comes every 0.14 to 0.35 ms, so these take less than 0.1 s.
    static let limit = 256
    private static let stepsPerReport = 10_000
    // NB: ICU gives up after about 4,000 reports, and calls that no match.
    private static let mostForOneText = 3_000
    private let state = Mutex(State())

    /// What `body` comes to as one query, and the pattern for which it took too many steps: then what was
    /// asked after that counts as no match.
    static func spending<Result>(_ body: () -> Result) -> (result: Result, exhausting: String?) {
        let budget = PatternBudget()
        let result = $current.withValue(budget, operation: body)
        return (result, budget.exhausting)
    }

    /// The pattern that took too many steps, if one did.
    private var exhausting: String? { state.withLock(\.exhausting) }

    /// Whether the beginning of text matches an expression, which was made of a pattern.
    func matches(_ text: String, _ expression: NSRegularExpression, of pattern: String) -> Bool {
        let left = state.withLock { $0.exhausting == nil ? $0.reports : -1 }
        guard left >= 0 else { return false }
        let whole = NSRange(text.startIndex..., in: text)
        let steps = whole.length.multipliedReportingOverflow(by: max(8, pattern.utf16.count))
        let free =
            steps.overflow
            ? Self.mostForOneText
            : min(steps.partialValue / Self.stepsPerReport, Self.mostForOneText - Self.limit)
        // A step that compares with a group goes over as much text as that has.
        let weight = pattern.refersBack ? 1 + whole.length / 256 : 1
        var (spent, isFound, isExhausted) = (0, false, false)
        expression.enumerateMatches(
            in: text, options: [.anchored, .reportProgress, .reportCompletion], range: whole
        ) { match, flags, stop in
            if match != nil {
                isFound = true
                stop.pointee = true
            } else if flags.contains(.internalError) {
                isExhausted = true
            } else if flags.contains(.progress) {
                spent += weight
                if spent > free + left {
                    isExhausted = true
                    stop.pointee = true
                }
            }
        }
        state.withLock { state in
            state.reports -= max(0, spent - free)
            if isExhausted { state.exhausting = pattern }
        }
        return isFound && !isExhausted
    }
}

extension String {
    /// Whether a regular expression refers back to what a group has matched.
    fileprivate var refersBack: Bool {
        var isEscaped = false
        for byte in utf8 {
            if isEscaped, (49...57).contains(byte) || byte == UInt8(ascii: "k") { return true }
            isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        }
        return false
    }
}
