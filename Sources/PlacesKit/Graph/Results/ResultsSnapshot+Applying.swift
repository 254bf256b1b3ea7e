extension ResultsSnapshot {
    /// Applies a difference to these results; returns `nil` if it does not fit them.
    ///
    /// - Parameter difference: The difference between these results and others.
    /// - Returns: The other results; `nil` if the difference names an item or section that is not
    ///   at its position, deletes a section without all of its items, or leaves a gap.
    /// - Complexity: O(*n* + *k* log *k*) for *n* items before and after, and *k* that are
    ///   deleted, inserted or moved.
    public func applying(_ difference: ResultsDifference<Identifier>) -> Self? {
        guard var remaining = removing(difference) else { return nil }
        for rename in difference.sectionRenames {
            guard remaining.indices.contains(rename.oldIndex),
                remaining[rename.oldIndex].label.key == rename.oldKey
            else { return nil }
            remaining[rename.oldIndex].label = SectionLabel(rename.key, name: rename.name)
        }

        // What leaves its position among the sections, for ever or for another.
        var comes: [Int: Group] = [:]
        var leaves: Set<Int> = []
        for section in difference.sectionDeletes {
            guard remaining.indices.contains(section.index),
                remaining[section.index].items.isEmpty,
                remaining[section.index].label.key == section.key,
                leaves.insert(section.index).inserted
            else { return nil }
        }
        for move in difference.sectionMoves {
            guard remaining.indices.contains(move.oldIndex), leaves.insert(move.oldIndex).inserted,
                comes.updateValue(remaining[move.oldIndex], forKey: move.newIndex) == nil
            else { return nil }
        }
        for section in difference.sectionInserts {
            let group = (
                label: SectionLabel(section.key, name: section.name), items: [Identifier]()
            )
            guard comes.updateValue(group, forKey: section.index) == nil else { return nil }
        }
        var staying = remaining.indices.lazy.filter { !leaves.contains($0) }.map { remaining[$0] }
            .makeIterator()
        var groups: [Group] = []
        for index in 0..<remaining.count - leaves.count + comes.count {
            guard let group = comes[index] ?? staying.next() else { return nil }
            groups.append(group)
        }
        guard staying.next() == nil, insert(difference.arrivals, into: &groups) else { return nil }
        return Self(exactly: groups.map { (label: $0.label, identifiers: $0.items) })
    }

    private typealias Group = (label: SectionLabel, items: [Identifier])

    /// Puts items at their new positions; returns whether there are such.
    private func insert(
        _ arrivals: [ResultsDifference<Identifier>.ItemEdit], into groups: inout [Group]
    ) -> Bool {
        let bySection = Dictionary(grouping: arrivals, by: \.position.section)
        for (section, arrivals) in bySection {
            guard groups.indices.contains(section) else { return false }
            var stayed = groups[section].items[...]
            var items: [Identifier] = []
            for item in arrivals.sorted(by: { $0.position < $1.position }) {
                while items.count < item.position.item, let next = stayed.popFirst() {
                    items.append(next)
                }
                guard items.count == item.position.item else { return false }
                items.append(item.identifier)
            }
            groups[section].items = items + stayed
        }
        return true
    }

    /// Returns the sections without the items that are deleted or moved.
    private func removing(_ difference: ResultsDifference<Identifier>) -> [Group]? {
        let identifiers = storage.listed.identifiers
        var leaves = [Bool](repeating: false, count: identifiers.count)
        for item in difference.departures {
            guard let index = index(of: item.position), !leaves[index],
                identifiers[index] == item.identifier
            else { return nil }
            leaves[index] = true
        }
        return sections.map { section in
            (section.label, section.range.filter { !leaves[$0] }.map { identifiers[$0] })
        }
    }
}
