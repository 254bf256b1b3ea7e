package import PlacesGraph

extension ResultsChange {
    /// Checks that the change reports each touched item once, and nothing that it need not report.
    ///
    /// It may report no more moves than necessary.
    ///
    /// To find the smallest number of moves, it compares all pairs of items, unless there are too
    /// many.
    ///
    /// - Parameters:
    ///   - touched: The items that changed; the others keep their order and their sections.
    ///   - searchLimit: In a list of more items than this, it does not check the number of moves.
    /// - Throws: ``ResultsMismatch`` for the first superfluous or missing event.
    /// - Complexity: O(*n*²) for *n* items, or O(*n*) beyond the limit; besides O(*s*²) for *s* sections.
    package func checkMinimality(
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

    /// The keys of the sections before the change, after their renames.
    private var currentKeys: [SectionKey] {
        var keys = before.sectionIdentifiers
        for rename in difference.sectionRenames { keys[rename.oldIndex] = rename.key }
        return keys
    }

    /// Checks that no section is both deleted and inserted, and that as few as possible move.
    ///
    /// Sections without touched items must not move.
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

    /// The smallest number of touched items that must move if all others keep their order.
    ///
    /// The items are given in their new order, with their old indices. The items that stay form the
    /// best chain: each comes after the one before it in both orders. An item that must not move
    /// counts for more than all items that may.
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

/// Items that can keep their positions together.
private struct Chain: Comparable {
    var untouched = 0
    var touched = 0

    static func < (left: Self, right: Self) -> Bool {
        (left.untouched, left.touched) < (right.untouched, right.touched)
    }
}
