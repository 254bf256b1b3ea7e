extension RankedRows {
    /// The rows of all matches, which come in their order, each with the name of its section.
    ///
    /// - Parameters:
    ///   - matches: The rows.
    ///   - query: What they match.
    ///   - graph: The graph in which they do.
    ///   - section: The name of a row's section, asked once for each row in the window.
    /// - Complexity: O(n), and O(s log s) for s sections.
    init(
        _ matches: ContiguousArray<Int32>, _ query: ResultsQuery, in graph: Graph,
        section: (Int32) -> String
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

        var numbers: [String: Int32] = [:]
        var groups: [(name: String, entries: ContiguousArray<OrderedEntry>)] = []
        for position in window.clamped(to: matches.indices) {
            let name = section(matches[position])
            let number = numbers[name] ?? Int32(truncatingIfNeeded: groups.count)
            if Int(number) == groups.count {
                numbers[name] = number
                groups.append((name, []))
            }
            var entry = entry(position)
            entry.group = number
            groups[Int(number)].entries.append(entry)
        }
        members = OrderedIndex(groups.lazy.map(\.entries).joined(), token: token)
        for (number, group) in groups.enumerated() {
            let section = Section(
                number: Int32(truncatingIfNeeded: number), name: group.name,
                first: group.entries[0], count: group.entries.count)
            sections.insert(
                section, weight: section.count, number: section.number, at: sections.count)
        }
        for number in groups.indices.sorted(by: {
            groups[$0].name.canonicalOrder(to: groups[$1].name) < 0
        }) {
            let number = Int32(truncatingIfNeeded: number)
            names.insert(
                (groups[Int(number)].name, number), weight: 1, number: number, at: names.count)
        }
        nextNumber = Int32(truncatingIfNeeded: groups.count)
    }
}
