/// The touched items of two lists with their positions, found by reading both side by side.
struct LocatedItems<Identifier: Hashable & Sendable> {
    /// The touched items that are in either list.
    private(set) var items: [TouchedItem<Identifier>] = []

    /// Whether all other items have the same order and the same sections in both.
    private(set) var untouchedStay = true

    /// For each of the items its index among them.
    private var indices: [Identifier: Int] = [:]

    /// Finds the items in O(*n*) for *n* items, with about one look-up for each.
    init(
        _ touched: Set<Identifier>, from before: ListedResults<Identifier>,
        to after: ListedResults<Identifier>, matching: SectionMatching
    ) {
        var (old, new) = (0, 0)
        while old < before.identifiers.count || new < after.identifiers.count {
            let oldItem = old < before.identifiers.count ? before.identifiers[old] : nil
            let newItem = new < after.identifiers.count ? after.identifiers[new] : nil
            if let oldItem, touched.contains(oldItem) {
                items[entry(of: oldItem)].oldPosition = before.position(at: old)
                old += 1
                if oldItem == newItem {
                    items[entry(of: oldItem)].newPosition = after.position(at: new)
                    new += 1
                }
            } else if let newItem, touched.contains(newItem) {
                items[entry(of: newItem)].newPosition = after.position(at: new)
                new += 1
            } else {
                if oldItem != newItem { untouchedStay = false }
                if untouchedStay,
                    let from = before.position(at: old), let to = after.position(at: new),
                    matching.newIndices[from.section] != to.section
                {
                    untouchedStay = false
                }
                if oldItem != nil { old += 1 }
                if newItem != nil { new += 1 }
            }
        }
    }

    /// The index of an item among the items, where it is put if need be.
    private mutating func entry(of identifier: Identifier) -> Int {
        if let index = indices[identifier] { return index }
        indices[identifier] = items.count
        items.append(TouchedItem(identifier: identifier))
        return items.count - 1
    }
}
