/// The touched items of two snapshots with their positions, found by reading both side by side.
struct LocatedItems<Identifier: Hashable & Sendable> {
    /// The touched items that are in either snapshot.
    private(set) var items: [TouchedItem<Identifier>] = []

    /// Whether all other items have the same order and the same sections in both.
    private(set) var untouchedStay = true

    /// For each of the items its index among them.
    private var indices: [Identifier: Int] = [:]

    /// Finds the items in O(*n*) for *n* items, with about one look-up for each.
    init(
        _ touched: Set<Identifier>,
        from before: ResultsSnapshot<Identifier>, to after: ResultsSnapshot<Identifier>,
        matching: SectionMatching
    ) {
        var (old, new) = (0, 0)
        while old < before.identifiers.count || new < after.identifiers.count {
            let oldItem = old < before.identifiers.count ? before.identifiers[old] : nil
            let newItem = new < after.identifiers.count ? after.identifiers[new] : nil
            if oldItem == newItem, let identifier = oldItem {
                if touched.contains(identifier) {
                    items[entry(of: identifier)].oldPosition = before.position(at: old)
                    items[entry(of: identifier)].newPosition = after.position(at: new)
                }
                old += 1
                new += 1
            } else if let oldItem, touched.contains(oldItem) {
                items[entry(of: oldItem)].oldPosition = before.position(at: old)
                old += 1
            } else if let newItem, touched.contains(newItem) {
                items[entry(of: newItem)].newPosition = after.position(at: new)
                new += 1
            } else {
                untouchedStay = false
                if oldItem != nil { old += 1 }
                if newItem != nil { new += 1 }
            }
        }
        untouchedStay =
            untouchedStay && sectionsOfUntouchedStay(from: before, to: after, matching: matching)
    }

    /// The index of an item among the items, where it is put if need be.
    private mutating func entry(of identifier: Identifier) -> Int {
        if let index = indices[identifier] { return index }
        indices[identifier] = items.count
        items.append(TouchedItem(identifier: identifier))
        return items.count - 1
    }

    /// Whether untouched items, known to be the same in the same order, also fill the same sections.
    private func sectionsOfUntouchedStay(
        from before: ResultsSnapshot<Identifier>, to after: ResultsSnapshot<Identifier>,
        matching: SectionMatching
    ) -> Bool {
        let old = UntouchedNeighbours(of: items.map(\.oldPosition), in: before).inSection
        let new = UntouchedNeighbours(of: items.map(\.newPosition), in: after).inSection
        let filledBefore = old.enumerated().lazy.filter { $0.element > 0 }
        let filledAfter = new.enumerated().lazy.filter { $0.element > 0 }
        return filledBefore.elementsEqual(filledAfter) { before, after in
            matching.newIndices[before.offset] == after.offset && before.element == after.element
        }
    }
}
