/// A document does not follow <doc:DocumentFormat>, or PlacesKit reads something else from it.
public struct StoredDocumentError: Error, Hashable, CustomStringConvertible {
    /// What is wrong, one sentence for each finding.
    public let violations: [String]

    init(violations: [String]) { self.violations = violations }

    init(_ violation: String) { violations = [violation] }

    /// All findings, one a line.
    public var description: String {
        "The document is not as its format says:\n" + violations.joined(separator: "\n")
    }
}
