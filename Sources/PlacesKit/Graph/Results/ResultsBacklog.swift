/// Changes of the same results, each of which begins where the one before it ended, on their way to become
/// one.
///
/// Adding one costs what it touches, however many there are; what they come to is found out once.
struct ResultsBacklog<Identifier: Hashable & Sendable>: Sendable {
    private let first: ResultsChange<Identifier>
    private var last: ResultsChange<Identifier>?
    /// The items that changed, and the names of their changed properties.
    private var touched: [Identifier: Set<String>]
    /// The items that merely came or went.
    private var others: Set<Identifier> = []
    /// How many items there may be before those that are gone again are forgotten.
    private var limit = 1024

    init(_ change: ResultsChange<Identifier>) {
        first = change
        touched = change.touched
    }

    /// Adds what follows.
    mutating func append(_ later: Self) {
        if last == nil { others.formUnion(first.difference.identifiers) }
        last = later.last ?? later.first
        touched.merge(later.touched) { $0.union($1) }
        others.formUnion(later.last == nil ? Set(later.first.difference.identifiers) : later.others)
        if touched.count + others.count > limit { forget() }
    }

    /// Forgets the items that are neither in the results before nor in those after.
    private mutating func forget() {
        guard let last else { return }
        let (before, after) = (first.before, last.after)
        let isThere: (Identifier) -> Bool
        if before.findsItems, after.findsItems {
            isThere = { before.position(of: $0) != nil || after.position(of: $0) != nil }
        } else {
            isThere = Set(before.identifiers).union(after.identifiers).contains
        }
        touched = touched.filter { isThere($0.key) }
        others = others.filter(isThere)
        limit = max(limit, 2 * (touched.count + others.count))
    }

    /// All changes as one.
    var change: ResultsChange<Identifier> {
        guard let last else { return first }
        return ResultsChange(
            joining: touched, others: others, from: first.before, to: last.after)
    }
}

extension ResultsSnapshot {
    /// Whether an item is found without looking at all of them.
    fileprivate var findsItems: Bool {
        (storage as? RankedResults).map { !$0.query.isOpaque } ?? false
    }
}
