public import PlacesKit

extension ResultsChange {
    /// Checks that the change reports just what it must: each touched item once, and no move more.
    ///
    /// The fewest moves are found by comparing all pairs of items, if these are few.
    ///
    /// - Parameters:
    ///   - touched: The items that changed; the others keep their order and their sections.
    ///   - searchLimit: The number of items up to which the moves are counted.
    /// - Throws: ``ResultsMismatch`` for the first event too many or too few.
    /// - Complexity: O(*n*²) for *n* items, or O(*n*) beyond the limit.
    public func checkMinimality(
        touched: Set<Identifier>, searchLimit: Int = 300
    ) throws(ResultsMismatch) {
        let old = Set(before.identifiers)
        let new = Set(after.identifiers)
        let deleted = Set(difference.itemDeletes.map(\.identifier))
        let inserted = Set(difference.itemInserts.map(\.identifier))
        let moved = Set(difference.itemMoves.map(\.identifier))
        let updated = Set(difference.itemUpdates.map(\.identifier))

        if let item = deleted.intersection(new).first ?? inserted.intersection(old).first {
            throw .survives(item: "\(item)")
        }
        let reported = deleted.union(inserted).union(moved).union(updated)
        if let item = reported.subtracting(touched).first { throw .untouched(item: "\(item)") }
        let changed = touched.intersection(old.union(new))
        if let item = changed.subtracting(reported).first { throw .unreported(item: "\(item)") }

        try checkSections()
        let survivors = touched.intersection(old).intersection(new)
        guard after.numberOfItems <= searchLimit else { return }
        let needed = fewestMoves(among: survivors)
        guard moved.count == needed else {
            throw .tooManyMoves(found: moved.count, needed: needed)
        }
    }

    /// Checks that no section is both deleted and inserted if those that stay keep their order.
    private func checkSections() throws(ResultsMismatch) {
        let (old, new) = (before.sections.map(\.name), after.sections.map(\.name))
        guard old.filter(new.contains) == new.filter(old.contains) else { return }
        let inserted = Set(difference.sectionInserts.map(\.name))
        for section in difference.sectionDeletes where inserted.contains(section.name) {
            throw .needlessSectionEdit(name: section.name)
        }
    }

    /// The least number of survivors that must move if all others keep their order and section.
    ///
    /// What stays is the best chain of items, each behind the one before it in both results, where
    /// an item that must not move counts for more than all that may.
    private func fewestMoves(among survivors: Set<Identifier>) -> Int {
        let oldIndices = Dictionary(
            before.identifiers.enumerated().map { ($1, $0) },
            uniquingKeysWith: { first, _ in first })
        let (oldNames, newNames) = (before.sectionNames, after.sectionNames)
        var chains: [(end: Int, chain: Chain)] = []
        for (new, identifier) in after.identifiers.enumerated() {
            guard let old = oldIndices[identifier], oldNames[old] == newNames[new] else { continue }
            var chain = chains.lazy.filter { $0.end < old }.map(\.chain).max() ?? Chain()
            if survivors.contains(identifier) { chain.touched += 1 } else { chain.untouched += 1 }
            chains.append((old, chain))
        }
        return survivors.count - (chains.lazy.map(\.chain).max()?.touched ?? 0)
    }
}

/// Items that can stay in their places together.
private struct Chain: Comparable {
    var untouched = 0
    var touched = 0

    static func < (left: Self, right: Self) -> Bool {
        (left.untouched, left.touched) < (right.untouched, right.touched)
    }
}

extension ResultsSnapshot {
    /// For each item the name of its section.
    fileprivate var sectionNames: [String] {
        sections.flatMap { Array(repeating: $0.name, count: $0.numberOfItems) }
    }
}
