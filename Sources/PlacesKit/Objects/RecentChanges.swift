/// What the last commits changed: for contexts that are a few commits behind, so that they need not look
/// for the differences of two graphs.
///
/// Only as much is kept as is sooner read than looked for.
struct RecentChanges: Sendable {
    /// How many changed rows are kept at most, where each commit counts as some besides.
    private static let limit = 16_384
    private static let rowsOfCommit = 256

    /// The changes of consecutive commits, oldest first, and what each counts.
    private var commits: ContiguousArray<(tables: [TableChanges], count: Int)> = []
    /// The number of the last commit.
    private var number = 0
    private var total = 0

    /// Adds what the next commit changed.
    mutating func append(_ tables: [TableChanges], of number: Int) {
        let count = tables.reduce(Self.rowsOfCommit) { $0 + $1.count }
        commits.append((tables, count))
        self.number = number
        total += count
        var excess = 0
        while total > Self.limit {
            total -= commits[excess].count
            excess += 1
        }
        commits.removeFirst(excess)
    }

    /// What commits after one of a number changed; `nil` where that is not kept.
    func changes(since number: Int) -> [[TableChanges]]? {
        let count = self.number - number
        guard (0...commits.count).contains(count) else { return nil }
        return commits.suffix(count).map(\.tables)
    }
}

extension TableChanges {
    /// How many rows changed.
    fileprivate var count: Int { inserted.count + deleted.count + updated.count }
}
