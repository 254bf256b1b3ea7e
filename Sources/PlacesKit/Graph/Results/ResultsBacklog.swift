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
    /// Those that came or went at some time: while they are away, nobody tells what changes of them.
    private var away: Set<Identifier> = []
    /// How many items there may be before those that are gone again are forgotten.
    private var limit = 1024

    init(_ change: ResultsChange<Identifier>) {
        first = change
        touched = change.touched
    }

    /// Adds what follows.
    mutating func append(_ later: Self) {
        if last == nil { note(first.difference) }
        last = later.last ?? later.first
        touched.merge(later.touched) { $0.union($1) }
        if later.last == nil {
            note(later.first.difference)
        } else {
            others.formUnion(later.others)
            away.formUnion(later.away)
        }
        if touched.count + others.count > limit { forget() }
    }

    private mutating func note(_ difference: ResultsDifference<Identifier>) {
        others.formUnion(difference.identifiers)
        away.formUnion((difference.itemDeletes + difference.itemInserts).lazy.map(\.identifier))
    }

    /// Forgets the items that are neither in the results before nor in those after.
    private mutating func forget() {
        guard let last else { return }
        let (wasThere, isThere) = (first.before.containment, last.after.containment)
        touched = touched.filter { wasThere($0.key) || isThere($0.key) }
        others = others.filter { wasThere($0) || isThere($0) }
        away.formIntersection(others)
        limit = max(limit, 2 * (touched.count + others.count))
    }

    /// All changes as one.
    var change: ResultsChange<Identifier> {
        guard let last else { return first }
        return ResultsChange(
            joining: touched, others: others, away: away, from: first.before, to: last.after)
    }
}

extension ResultsSnapshot {
    /// Tells of any number of items whether they are among the results.
    var containment: (Identifier) -> Bool {
        let results = storage as? RankedResults
        // Otherwise each is looked for among all.
        guard let results, !results.query.isOpaque else { return Set(identifiers).contains }
        return { position(of: $0) != nil }
    }
}
