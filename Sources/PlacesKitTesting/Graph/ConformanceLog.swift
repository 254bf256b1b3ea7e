/// A promise that what is checked for conformance does not keep.
public struct ConformanceViolation: Sendable, Hashable, CustomStringConvertible {
    /// What was tried.
    public let operation: String
    /// What is wrong with the outcome, and what it should be.
    public let problem: String

    /// What was tried and the problem in one line.
    public var description: String { "\(operation): \(problem)" }
}

/// Collects violations, each once.
package struct ConformanceLog {
    package private(set) var violations: [ConformanceViolation] = []

    package init() {}

    package mutating func expect(
        _ condition: Bool, _ operation: String, _ problem: @autoclosure () -> String
    ) {
        guard !condition else { return }
        let violation = ConformanceViolation(operation: operation, problem: problem())
        if !violations.contains(violation) { violations.append(violation) }
    }
}
