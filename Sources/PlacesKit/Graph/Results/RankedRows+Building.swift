import Foundation

extension RankedRows {
    /// The rows of all matches, which come in their order, each with its section.
    ///
    /// - Parameters:
    ///   - matches: The rows.
    ///   - query: What they match.
    ///   - graph: The graph in which they do.
    ///   - key: What a row's section is told by, asked once for each row in the window.
    ///   - label: The label of a row's section, asked once for each section.
    /// - Complexity: O(n), and O(s log s) for s sections.
    init(
        _ matches: ContiguousArray<Row>, _ query: ResultsQuery, in graph: Graph,
        key: (Row) -> SectionKey, label: (Row) -> SectionLabel
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
        for label in query.always {
            numbers[label.key] = Int32(truncatingIfNeeded: groups.count)
            groups.append((label, []))
        }
        alwaysCount = Int32(truncatingIfNeeded: groups.count)
        for position in window.clamped(to: matches.indices) {
            let key = key(matches[position])
            let number = numbers[key] ?? Int32(truncatingIfNeeded: groups.count)
            if Int(number) == groups.count {
                numbers[key] = number
                groups.append((label(matches[position]), []))
            }
            var entry = entry(position)
            entry.group = number
            groups[Int(number)].entries.append(entry)
        }
        members = OrderedIndex(groups.lazy.map(\.entries).joined(), token: token)
        // Their numbers are in the order of their first rows.
        let ranked = groups.indices.sorted {
            let order = groups[$0].label.rank.order(to: groups[$1].label.rank)
            return order == .orderedSame ? $0 < $1 : order == .orderedAscending
        }
        for number in ranked {
            let group = groups[number]
            let section = Section(
                number: Int32(truncatingIfNeeded: number), label: group.label,
                first: group.entries.first, count: group.entries.count)
            sections.insert(
                section, weight: section.count, number: section.number, at: sections.count)
            insert(group.label, section.number)
        }
        nextNumber = Int32(truncatingIfNeeded: groups.count)
    }
}
