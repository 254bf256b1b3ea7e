extension RankedRows {
    /// The rows of all matches, which come in their order, each with its section.
    ///
    /// - Parameters:
    ///   - matches: The rows.
    ///   - query: What they match.
    ///   - graph: The graph in which they do.
    ///   - section: A row's section, asked once for each row in the window.
    /// - Complexity: O(n), and O(s log s) for s sections.
    init(
        _ matches: ContiguousArray<Row>, _ query: ResultsQuery, in graph: Graph,
        section: (Row) -> SectionLabel
    ) {
        window = query.window
        isSectioned = query.isSectioned
        let order = query.order
        // Without a compiled order it is the position that a row is found by.
        let isPositional = query.keys == nil
        func entry(_ position: Int) -> OrderedEntry {
            isPositional
                ? OrderedEntry(group: 0, row: matches[position], key: UInt64(position))
                : order.entry(matches[position], in: graph)
        }
        let token = Transaction.makeToken()
        if hasAll { all = OrderedIndex(matches.indices.lazy.map(entry), token: token) }
        guard isSectioned else { return }

        var numbers: [SectionKey: Int32] = [:]
        var groups: [(label: SectionLabel, entries: ContiguousArray<OrderedEntry>)] = []
        for position in window.clamped(to: matches.indices) {
            let label = section(matches[position])
            let number = numbers[label.key] ?? Int32(truncatingIfNeeded: groups.count)
            if Int(number) == groups.count {
                numbers[label.key] = number
                groups.append((label, []))
            }
            var entry = entry(position)
            entry.group = number
            groups[Int(number)].entries.append(entry)
        }
        members = OrderedIndex(groups.lazy.map(\.entries).joined(), token: token)
        for (number, group) in groups.enumerated() {
            let section = Section(
                number: Int32(truncatingIfNeeded: number), label: group.label,
                first: group.entries[0], count: group.entries.count)
            sections.insert(
                section, weight: section.count, number: section.number, at: sections.count)
            insert(group.label.key, section.number)
        }
        nextNumber = Int32(truncatingIfNeeded: groups.count)
    }
}
