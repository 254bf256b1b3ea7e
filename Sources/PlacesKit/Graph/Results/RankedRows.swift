/// The rows that a results controller shows, in order and in sections: a value whose copies share what
/// they have in common.
///
/// - All matches are in `all`, in the order of the request, whatever the window; only where there are
///   sections and no window they are not, for then `members` has them.
/// - With sections, `members` has the rows in the window, grouped by the numbers of their sections.
///   `sections` has the sections in the order of their first members, each as heavy as it has members,
///   and `keys` has them in the order of their keys' hashes.
struct RankedRows: Sendable {
    /// A section that has members.
    struct Section: Sendable {
        /// The number by which members are grouped, as long as the section has any.
        var number: Int32
        var label: SectionLabel
        /// The entry of the first member.
        var first: OrderedEntry
        var count: Int
    }

    let window: Range<Int>
    let isSectioned: Bool
    var all = OrderedIndex()
    var members = OrderedIndex()
    var sections = WeightedSequence<Section>()
    var keys = WeightedSequence<(hash: Int, key: SectionKey, number: Int32)>()
    /// The number of the next new section.
    var nextNumber: Int32 = 0

    /// Whether `all` is kept.
    var hasAll: Bool { !isSectioned || window != 0..<Int.max }

    /// The window, cut to the matches that there are.
    var visible: Range<Int> { window.clamped(to: 0..<all.count) }

    // MARK: - Reading

    /// The number of rows.
    var count: Int { isSectioned ? members.count : visible.count }

    /// The row at an index among all that are shown, which must be valid.
    func row(at index: Int) -> Row {
        guard isSectioned else { return all[visible.lowerBound + index].row }
        let section = sections.index(covering: index)
        let start = members.position(of: .start(of: sections[section].number))
        return members[start + index - sections.weight(before: section)].row
    }

    /// All rows that are shown.
    ///
    /// - Complexity: O(n).
    var rows: ContiguousArray<Row> {
        guard isSectioned else { return ContiguousArray(all.entries(visible).lazy.map(\.row)) }
        var rows = ContiguousArray<Row>()
        rows.reserveCapacity(count)
        for section in sections.elements {
            for entry in members.entries(members.range(ofGroup: section.number)) {
                rows.append(entry.row)
            }
        }
        return rows
    }

    // MARK: - Finding

    /// The number of the section of a key.
    func number(of key: SectionKey) -> Int32? { index(of: key).map { keys[$0].number } }

    /// Where a key is among the keys.
    func index(of key: SectionKey) -> Int? {
        let hash = key.hashValue
        for index in keys.count(where: { $0.hash < hash })..<keys.count {
            let found = keys[index]
            guard found.hash == hash else { return nil }
            if found.key == key { return index }
        }
        return nil
    }

    /// Lets a number be that of the section of a key.
    mutating func insert(_ key: SectionKey, _ number: Int32) {
        let hash = key.hashValue
        keys.insert(
            (hash, key, number), weight: 1, number: number,
            at: keys.count { $0.hash < hash })
    }

    /// The index of the section that begins with an entry.
    func index(ofSectionBeginningWith first: OrderedEntry, _ order: RowOrder, in graph: Graph)
        -> Int
    {
        sections.count { order.precedes($0.first, first, in: graph) }
    }

    /// Where a row is shown, by the section's number and the index in it; `nil` where it is not.
    func position(of row: Row, _ query: ResultsQuery, in graph: Graph) -> RowPosition? {
        var entry = query.order.entry(row, in: graph)
        let tie = query.order.tie(row, in: graph)
        guard isSectioned else {
            guard let position = all.firstPosition(of: entry, tie: tie), visible.contains(position)
            else { return nil }
            return RowPosition(entry: entry, item: position - visible.lowerBound)
        }
        guard let number = number(of: query.section(of: row, in: graph)) else { return nil }
        entry.group = number
        guard let position = members.firstPosition(of: entry, tie: tie) else { return nil }
        return RowPosition(
            entry: entry, item: position - members.position(of: .start(of: number)))
    }

    /// The index of the section with a number, which must have members.
    func index(ofSection number: Int32, _ order: RowOrder, in graph: Graph) -> Int {
        guard isSectioned, let first = members.first(ofGroup: number) else { return 0 }
        return index(ofSectionBeginningWith: first, order, in: graph)
    }
}

/// Where a row is among its section's.
struct RowPosition {
    /// What stands for the row; its group is the section's number.
    var entry: OrderedEntry
    /// The index inside the section.
    var item: Int
}

extension OrderedIndex {
    /// The position of an entry, if it is there.
    ///
    /// - Complexity: O(log n).
    func firstPosition(of entry: OrderedEntry, tie: (Row) -> Int) -> Int? {
        let position = position(of: entry, tie: tie)
        return position < count && self[position] == entry ? position : nil
    }
}
