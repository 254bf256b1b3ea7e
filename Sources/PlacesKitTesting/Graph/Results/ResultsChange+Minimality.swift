public import PlacesGraph

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
        let (oldItems, newItems) = (Array(before.identifiers), Array(after.identifiers))
        let (old, new) = (Set(oldItems), Set(newItems))
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

        let oldKeys = currentKeys
        try checkSections(oldKeys, touched)
        let survivors = touched.intersection(old).intersection(new)
        guard newItems.count <= searchLimit else { return }
        var needed = 0
        var chosen: [SectionKey: [(Int, isTouched: Bool)]] = [:]
        let oldIndices = Dictionary(
            oldItems.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        for section in after.sections {
            for item in newItems[section.range] {
                guard let index = oldIndices[item], let position = before.position(at: index) else {
                    continue
                }
                guard oldKeys[position.section] == section.key else {
                    if survivors.contains(item) { needed += 1 }
                    continue
                }
                chosen[section.key, default: []].append((index, survivors.contains(item)))
            }
        }
        for items in chosen.values { needed += Self.fewestMoves(items) }
        guard moved.count == needed else {
            throw .tooManyMoves(found: moved.count, needed: needed)
        }
    }

    /// The keys that the sections before have after the renames.
    private var currentKeys: [SectionKey] {
        var keys = before.sectionIdentifiers
        for rename in difference.sectionRenames { keys[rename.oldIndex] = rename.key }
        return keys
    }

    /// Checks that no section is both deleted and inserted, and as few move as can be, if those do not
    /// that have no touched items.
    private func checkSections(
        _ oldKeys: [SectionKey], _ touched: Set<Identifier>
    ) throws(ResultsMismatch) {
        let inserted = Set(difference.sectionInserts.map(\.key))
        for section in difference.sectionDeletes where inserted.contains(section.key) {
            throw .needlessSectionEdit(name: section.name)
        }
        guard Set(oldKeys).count == oldKeys.count else { return }
        let oldIndices = Dictionary(uniqueKeysWithValues: oldKeys.enumerated().map { ($1, $0) })
        let items = after.sections.indices.compactMap { index -> (Int, isTouched: Bool)? in
            guard let old = oldIndices[after.sections[index].key] else { return nil }
            let isTouched =
                before.identifiers(inSection: old).contains(where: touched.contains)
                || after.identifiers(inSection: index).contains(where: touched.contains)
            return (old, isTouched)
        }
        let needed = Self.fewestMoves(items)
        guard difference.sectionMoves.count <= needed else {
            throw .tooManySectionMoves(found: difference.sectionMoves.count, needed: needed)
        }
    }

    /// The least number of touched ones that must move if all others keep their order, of what is
    /// given with its old indices in its new order.
    ///
    /// What stays is the best chain, each behind the one before it in both orders, where one that must
    /// not move counts for more than all that may.
    private static func fewestMoves(_ items: [(old: Int, isTouched: Bool)]) -> Int {
        var chains: [(end: Int, chain: Chain)] = []
        for (old, isTouched) in items {
            var chain = chains.lazy.filter { $0.end < old }.map(\.chain).max() ?? Chain()
            if isTouched { chain.touched += 1 } else { chain.untouched += 1 }
            chains.append((old, chain))
        }
        return items.count { $0.isTouched } - (chains.lazy.map(\.chain).max()?.touched ?? 0)
    }
}

/// Items that can stay in their positions together.
private struct Chain: Comparable {
    var untouched = 0
    var touched = 0

    static func < (left: Self, right: Self) -> Bool {
        (left.untouched, left.touched) < (right.untouched, right.touched)
    }
}
