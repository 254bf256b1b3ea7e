/// What the last commits changed: for contexts that are some commits behind.
///
/// Whoever merges finds the differences of two graphs among them, and whoever saves finds out what
/// others wrote since. So they reach back to the oldest state that somebody works on, up to a bound:
/// beyond it a merge compares the graphs, and a save takes what may have been written for written.
struct RecentChanges: Sendable {
    private struct Entry {
        var number: Int
        var tables: [TableChanges]
        /// What it counts: about as many times sixteen bytes as it takes.
        var weight: Int
    }

    /// What commits that are kept count together at most, about six megabytes.
    private static let limit = 3 << 17
    /// The weight up to which reading it is faster than comparing two graphs.
    private static let readableWeight = 1 << 14

    /// The changes of commits of ascending numbers.
    private var entries: ContiguousArray<Entry> = []
    /// The number of the last commit whose changes are not kept.
    private var floor: Int
    private var total = 0
    private var longWeight = RecentChanges.readableWeight

    /// Begins after the commit of a number.
    init(after number: Int) { floor = number }

    /// Adds what a commit changed, whose number is larger than those before.
    mutating func append(_ tables: [TableChanges], of number: Int) {
        let weight = tables.reduce(8 + 2 * tables.count) { $0 + $1.count }
        entries.append(Entry(number: number, tables: tables, weight: weight))
        total += weight
        guard total > Self.limit else { return }
        // A quarter at a time, so that not each commit moves what is kept.
        var excess = 0
        while total > Self.limit / 4 * 3 {
            total -= entries[excess].weight
            floor = entries[excess].number
            excess += 1
        }
        entries.removeFirst(excess)
    }

    /// Whether it is time to find out what nobody needs any more: each time that it has doubled.
    var isLong: Bool { total > longWeight }

    /// Forgets the changes up to those of the commit of a number.
    mutating func forget(upTo number: Int) {
        let count = index(after: number)
        for entry in entries.prefix(count) { total -= entry.weight }
        entries.removeFirst(count)
        floor = max(floor, number)
        longWeight = max(Self.readableWeight, 2 * total)
    }

    /// What commits changed, from the one after a number on up to the one of another; `nil` where that
    /// is not kept.
    func changes(since number: Int, upTo last: Int = .max) -> [[TableChanges]]? {
        guard number >= floor else { return nil }
        let (first, end) = (index(after: number), index(after: last))
        return first < end ? entries[first..<end].map(\.tables) : []
    }

    /// The same, where reading it takes less than comparing two graphs.
    func fewChanges(since number: Int) -> [[TableChanges]]? {
        let weight = entries[index(after: number)...].reduce(0) { $0 + $1.weight }
        return weight > Self.readableWeight ? nil : changes(since: number)
    }

    /// The index of the first entry after the commit of a number.
    private func index(after number: Int) -> Int {
        entries.indices.endOfPrefix { entries[$0].number <= number }
    }
}
