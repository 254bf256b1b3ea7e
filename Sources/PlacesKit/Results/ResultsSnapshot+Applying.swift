extension ResultsSnapshot {
    /// Returns what these results become by a difference, or nil if it does not fit them.
    ///
    /// - Parameter difference: What leads from these results to others.
    /// - Returns: The other results; nil if the difference names an item or section that is not
    ///   where it says, deletes a section without all of its items, or leaves a gap.
    /// - Complexity: O(*n* + *k* log *k*) for *n* items before and after, and *k* that are
    ///   deleted, inserted or moved.
    public func applying(_ difference: ResultsDifference<Identifier>) -> Self? {
        guard let remaining = removing(difference) else { return nil }
        let arrivals = difference.arrivals.sorted { $0.position < $1.position }

        var groups: [(name: String, identifiers: [Identifier])] = []
        var (nextInsert, nextRemaining, nextArrival) = (0, 0, 0)
        while nextInsert < difference.sectionInserts.count || nextRemaining < remaining.count {
            let name: String
            var stayed: ArraySlice<Identifier>
            if nextInsert < difference.sectionInserts.count,
                difference.sectionInserts[nextInsert].index == groups.count
            {
                (name, stayed) = (difference.sectionInserts[nextInsert].name, [])
                nextInsert += 1
            } else if nextRemaining < remaining.count {
                (name, stayed) = (
                    remaining[nextRemaining].name, remaining[nextRemaining].items[...]
                )
                nextRemaining += 1
            } else {
                return nil
            }

            var group: [Identifier] = []
            while true {
                let here = ItemPosition(section: groups.count, item: group.count)
                if nextArrival < arrivals.count, arrivals[nextArrival].position == here {
                    group.append(arrivals[nextArrival].identifier)
                    nextArrival += 1
                } else if let identifier = stayed.popFirst() {
                    group.append(identifier)
                } else {
                    break
                }
            }
            groups.append((name, group))
        }
        return nextArrival == arrivals.count ? Self(exactly: groups) : nil
    }

    /// Returns the sections that are not deleted, without the items that are deleted or moved.
    private func removing(
        _ difference: ResultsDifference<Identifier>
    ) -> [(name: String, items: [Identifier])]? {
        var leaves = [Bool](repeating: false, count: identifiers.count)
        for item in difference.departures {
            guard let index = index(of: item.position), !leaves[index],
                identifiers[index] == item.identifier
            else { return nil }
            leaves[index] = true
        }

        var remaining: [(name: String, items: [Identifier])] = []
        var nextDelete = 0
        for (index, section) in sections.enumerated() {
            let items = section.range.lazy.filter { !leaves[$0] }.map { identifiers[$0] }
            if nextDelete < difference.sectionDeletes.count,
                difference.sectionDeletes[nextDelete].index == index
            {
                guard difference.sectionDeletes[nextDelete].name == section.name, items.isEmpty
                else { return nil }
                nextDelete += 1
            } else {
                remaining.append((section.name, Array(items)))
            }
        }
        return nextDelete == difference.sectionDeletes.count ? remaining : nil
    }
}
