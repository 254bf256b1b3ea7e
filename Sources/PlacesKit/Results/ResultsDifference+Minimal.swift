extension ResultsDifference {
    /// Finds the difference with the fewest moves from the touched items alone.
    ///
    /// - Parameters:
    ///   - before: The results before the change.
    ///   - after: The results after the change.
    ///   - touched: The items that came, went, changed, or may have moved, at valid positions. All
    ///     other items have the same order and the same sections before and after.
    ///   - matching: Which sections are the same before and after.
    /// - Complexity: O(*s* log *s* + *k* log *k*) for *s* sections and *k* touched items, however
    ///   many items there are.
    init(
        from before: ResultsSnapshot<Identifier>, to after: ResultsSnapshot<Identifier>,
        touched: [TouchedItem<Identifier>], matching: SectionMatching
    ) {
        let staying = StayingItems(from: before, to: after, touched: touched, matching: matching)

        var deletes: [ItemEdit] = []
        var inserts: [ItemEdit] = []
        var moves: [ItemTransition] = []
        var updates: [ItemTransition] = []
        for (index, item) in touched.enumerated() {
            switch (item.oldPosition, item.newPosition) {
            case (let old?, let new?):
                let transition = ItemTransition(
                    identifier: item.identifier, oldPosition: old, newPosition: new)
                if staying.items.contains(index) {
                    updates.append(transition)
                } else {
                    moves.append(transition)
                }
            case (let old?, nil):
                deletes.append(ItemEdit(identifier: item.identifier, position: old))
            case (nil, let new?):
                inserts.append(ItemEdit(identifier: item.identifier, position: new))
            case (nil, nil):
                break
            }
        }
        itemDeletes = deletes.sorted { $0.position < $1.position }
        itemInserts = inserts.sorted { $0.position < $1.position }
        itemMoves = moves.sorted { $0.oldPosition < $1.oldPosition }
        itemUpdates = updates.sorted { $0.oldPosition < $1.oldPosition }

        sectionDeletes = before.sections.enumerated().compactMap { index, section in
            staying.sections.contains(index) ? nil : SectionEdit(name: section.name, index: index)
        }
        sectionInserts = after.sections.enumerated().compactMap { index, section in
            let stays = matching.oldIndices[index].map(staying.sections.contains) ?? false
            return stays ? nil : SectionEdit(name: section.name, index: index)
        }
    }
}
