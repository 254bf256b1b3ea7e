/// What has to follow when a column changes: found once, when a schema is laid out.
final class ColumnFollowers: Sendable {
    /// The numbers of the table's ordered indexes that read the column.
    let orderedIndexes: [Int]
    /// The numbers of the table's indexes of the column's words.
    let wordIndexes: [Int]
    /// The numbers of the table's unique combinations that the column is part of.
    let combinations: [Int]
    /// The numbers of the derivations that read the column in their members.
    let readers: [Int]
    /// The numbers of the derivations that read the column on their path, or at its end.
    let paths: [Int]
    /// The numbers of the derivations over the to-many relationship in whose slot the column is.
    let derivations: [Int]

    init(
        orderedIndexes: [Int], wordIndexes: [Int], combinations: [Int], readers: [Int],
        paths: [Int], derivations: [Int]
    ) {
        self.orderedIndexes = orderedIndexes
        self.wordIndexes = wordIndexes
        self.combinations = combinations
        self.readers = readers
        self.paths = paths
        self.derivations = derivations
    }

    /// Whether nothing follows.
    var isEmpty: Bool {
        orderedIndexes.isEmpty && wordIndexes.isEmpty && combinations.isEmpty && readers.isEmpty
            && paths.isEmpty && derivations.isEmpty
    }
}
