/// Results as one flat list and the ranges of their sections.
struct ListedResults<Identifier: Hashable & Sendable>: ResultsStorage {
    /// All identifiers from the first item of the first section to the last of the last.
    let identifiers: [Identifier]
    let sections: [ResultsSnapshot<Identifier>.Section]

    var count: Int { identifiers.count }
    var sectionCount: Int { sections.count }
    var listed: ListedResults { self }

    func identifier(at index: Int) -> Identifier { identifiers[index] }

    func section(at index: Int) -> ResultsSnapshot<Identifier>.Section { sections[index] }

    func section(covering index: Int) -> Int {
        (0..<max(0, sections.count - 1)).endOfPrefix { sections[$0].range.upperBound <= index }
    }

    func position(of identifier: Identifier) -> ItemPosition? {
        identifiers.firstIndex(of: identifier).flatMap(position)
    }

    /// The position of a flat index, or nil if the results have no such index.
    func position(at index: Int) -> ItemPosition? {
        guard identifiers.indices.contains(index), !sections.isEmpty else { return nil }
        let section = section(covering: index)
        return ItemPosition(section: section, item: index - sections[section].range.lowerBound)
    }

    /// Returns the difference that leads from an earlier list to this one, with the fewest moves.
    ///
    /// - Complexity: O(*n* + *s* log *s* + *k* log *k*) for *n* items, *s* sections and *k* touched
    ///   items; O(*n* log *n*) if untouched items moved.
    func difference(
        from before: Self, touched: [Identifier: Set<String>]
    ) -> ResultsDifference<Identifier> {
        let matching = SectionMatching(
            from: before.sections.map(\.label), to: sections.map(\.label))
        let changed = Set(touched.keys)
        var located = LocatedItems(changed, from: before, to: self, matching: matching)
        if !located.untouchedStay {
            let displaced = displaced(from: before, touched: changed, matching: matching)
            located = LocatedItems(
                changed.union(displaced), from: before, to: self, matching: matching)
        }
        let items = located.items.map { item in
            var item = item
            item.isChanged = touched[item.identifier] != nil
            item.properties = touched[item.identifier] ?? []
            return item
        }
        return ResultsDifference(items, matching.fates)
    }

    /// Returns the fewest untouched items without which the untouched ones keep order and section.
    private func displaced(
        from before: Self, touched: Set<Identifier>, matching: SectionMatching
    ) -> Set<Identifier> {
        var newIndices: [Identifier: Int] = [:]
        for (index, identifier) in identifiers.enumerated() where !touched.contains(identifier) {
            newIndices[identifier] = index
        }
        var displaced = Set(before.identifiers).union(identifiers)
        // Sections move as wholes, so the order counts inside each.
        for (oldSection, newSection) in matching.newIndices.enumerated() {
            guard let newSection else { continue }
            let range = sections[newSection].range
            var candidates: [(identifier: Identifier, newIndex: Int)] = []
            for identifier in before.identifiers[before.sections[oldSection].range] {
                guard let newIndex = newIndices[identifier], range.contains(newIndex) else {
                    continue
                }
                candidates.append((identifier, newIndex))
            }
            for index in heaviestIncreasingSubsequence(of: candidates.map(\.newIndex)) {
                displaced.remove(candidates[index].identifier)
            }
        }
        return displaced
    }
}
