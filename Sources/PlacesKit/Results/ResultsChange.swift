/// One change of a query's results: what they were, what they are, and the difference.
public struct ResultsChange<Identifier: Hashable & Sendable>: Hashable, Sendable {
    /// The results before the change.
    public let before: ResultsSnapshot<Identifier>

    /// The results after the change.
    public let after: ResultsSnapshot<Identifier>

    /// What leads from the results before to those after.
    public let difference: ResultsDifference<Identifier>

    /// Creates the change between two snapshots.
    ///
    /// - Parameters:
    ///   - before: The results before the change.
    ///   - after: The results after the change.
    ///   - touched: The items that came, went, changed, or may have moved.
    public init(
        from before: ResultsSnapshot<Identifier>, to after: ResultsSnapshot<Identifier>,
        touched: Set<Identifier>
    ) {
        self.before = before
        self.after = after
        difference = after.difference(from: before, touched: touched)
    }

    /// Creates a change whose difference is known.
    init(
        from before: ResultsSnapshot<Identifier>, to after: ResultsSnapshot<Identifier>,
        difference: ResultsDifference<Identifier>
    ) {
        self.before = before
        self.after = after
        self.difference = difference
    }

    /// Whether nothing happened, not even an update.
    public var isEmpty: Bool { difference.isEmpty }
}
