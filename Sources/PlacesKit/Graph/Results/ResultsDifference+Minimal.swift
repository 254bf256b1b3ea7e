extension ResultsDifference {
    /// Finds the difference with the fewest moves from the touched items alone, those that changed if it can be.
    ///
    /// All other items, and all other sections, have the same order before and after, and these items
    /// the same sections.
    ///
    /// - Parameters:
    ///   - items: The items that came, went, changed, or may have moved, each once.
    ///   - fates: The sections that these items were and are in, each once.
    /// - Complexity: O(k log k) for k touched items, however many others there are.
    init(_ items: [TouchedItem<Identifier>], _ fates: [SectionFate]) {
        let sections = Self.joiningRenamed(fates, items)
        let newIndices = Dictionary(
            sections.compactMap { section in section.oldIndex.map { ($0, section.newIndex) } },
            uniquingKeysWith: { first, _ in first })
        let staying = StayingItems(items) { newIndices[$0] ?? nil }

        var deletes: [ItemEdit] = []
        var inserts: [ItemEdit] = []
        var moves: [ItemTransition] = []
        var updates: [ItemTransition] = []
        for (index, item) in items.enumerated() {
            switch (item.oldPosition, item.newPosition) {
            case (let old?, let new?):
                let transition = ItemTransition(
                    identifier: item.identifier, oldPosition: old, newPosition: new,
                    properties: item.properties)
                if !staying.indices.contains(index) {
                    moves.append(transition)
                } else if item.isChanged {
                    updates.append(transition)
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

        var transitions: [SectionTransition] = []
        var edits: (deletes: [SectionEdit], inserts: [SectionEdit]) = ([], [])
        for section in sections {
            switch (section.oldIndex, section.newIndex) {
            case (let old?, let new?):
                transitions.append(
                    SectionTransition(
                        from: section.oldLabel, at: old, to: section.newLabel, at: new))
            case (let old?, nil):
                edits.deletes.append(SectionEdit(section.oldLabel, index: old))
            case (nil, let new?):
                edits.inserts.append(SectionEdit(section.newLabel, index: new))
            case (nil, nil):
                break
            }
        }
        transitions.sort { $0.oldIndex < $1.oldIndex }
        let stayingSections = StayingItems<Int>(
            sections.enumerated().map { index, section in
                TouchedItem(
                    identifier: index,
                    oldPosition: section.oldIndex.map { ItemPosition(section: 0, item: $0) },
                    newPosition: section.newIndex.map { ItemPosition(section: 0, item: $0) })
            }
        ) { $0 }
        let unmoved = Set(stayingSections.indices.compactMap { sections[$0].oldIndex })
        sectionDeletes = edits.deletes.sorted { $0.index < $1.index }
        sectionInserts = edits.inserts.sorted { $0.index < $1.index }
        sectionMoves = transitions.filter { !unmoved.contains($0.oldIndex) }
        sectionRenames = transitions.filter { $0.oldKey != $0.key || $0.oldName != $0.name }
    }

    /// The sections, where one that went and one that came are one that was renamed, if what of the
    /// one remains is what the other had before, and none of it left by itself.
    private static func joiningRenamed(
        _ fates: [SectionFate], _ items: [TouchedItem<Identifier>]
    ) -> [SectionFate] {
        guard items.contains(where: \.keepsSectionOwner) else { return fates }
        let gone = Set(fates.filter { $0.newIndex == nil }.compactMap(\.oldIndex))
        let new = Set(fates.filter { $0.oldIndex == nil }.compactMap(\.newIndex))
        var targets: [Int: Set<Int>] = [:]
        var sources: [Int: Set<Int>] = [:]
        var left: Set<Int> = []
        for item in items {
            guard let old = item.oldPosition?.section, let section = item.newPosition?.section
            else { continue }
            targets[old, default: []].insert(section)
            sources[section, default: []].insert(old)
            if !item.keepsSectionOwner { left.insert(old) }
        }
        var partners: [Int: Int] = [:]
        for (old, sections) in targets where gone.contains(old) && !left.contains(old) {
            guard sections.count == 1, let section = sections.first, new.contains(section),
                sources[section]?.count == 1
            else { continue }
            partners[old] = section
        }
        guard !partners.isEmpty else { return fates }
        let joined = Set(partners.values)
        let labels = Dictionary(
            fates.compactMap { fate in fate.newIndex.map { ($0, fate.newLabel) } },
            uniquingKeysWith: { first, _ in first })
        return fates.compactMap { fate in
            if fate.oldIndex == nil, let index = fate.newIndex, joined.contains(index) {
                return nil
            }
            guard let old = fate.oldIndex, let section = partners[old] else { return fate }
            return SectionFate(
                oldIndex: old, newIndex: section, oldLabel: fate.oldLabel,
                newLabel: labels[section] ?? .none)
        }
    }
}
