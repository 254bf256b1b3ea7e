/// A document that is not as <doc:DocumentFormat> says, or not what the library reads from it.
public struct StoredDocumentError: Error, Hashable, CustomStringConvertible {
    /// What is wrong, one sentence for each finding.
    public let violations: [String]

    /// An error of some findings.
    public init(violations: [String]) { self.violations = violations }

    init(_ violation: String) { violations = [violation] }

    /// Every finding, one a line.
    public var description: String {
        "The document is not as its format says:\n" + violations.joined(separator: "\n")
    }
}
