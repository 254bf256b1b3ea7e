public import PlacesGraph

/// A graph contradicts itself: a defect of PlacesKit, or of memory.
public struct GraphIntegrityError: Error, Hashable, CustomStringConvertible {
    /// What is wrong, one sentence for each finding.
    public let violations: [String]

    /// Creates an error from findings.
    package init(violations: [String]) {
        self.violations = violations
    }

    /// All findings, one a line.
    public var description: String {
        "The graph contradicts itself:\n" + violations.joined(separator: "\n")
    }
}

extension ManagedObjectContext {
    /// Checks that the data that the context's graph stores twice agree, also with pending changes.
    ///
    /// It compares relationships and their inverses, counts, unique indexes, and the one handle of
    /// each object. Use it in tests, after the steps that you trust least:
    ///
    /// ```swift
    /// try context.checkIntegrity()
    /// ```
    /// - Throws: ``GraphIntegrityError`` with every contradiction.
    /// - Complexity: O(n) for n values.
    public func checkIntegrity() throws(GraphIntegrityError) {
        let violations = brokenInvariants
        if !violations.isEmpty { throw GraphIntegrityError(violations: violations) }
    }
}

extension GraphSnapshot {
    /// Checks that everything that the snapshot's graph stores twice agrees.
    ///
    /// - Throws: ``GraphIntegrityError`` with every contradiction.
    /// - Complexity: O(n) for n values.
    public func checkIntegrity() throws(GraphIntegrityError) {
        let violations = brokenInvariants
        if !violations.isEmpty { throw GraphIntegrityError(violations: violations) }
    }
}
