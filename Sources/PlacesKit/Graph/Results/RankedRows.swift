import Foundation

/// The rows that a results controller shows, in order and in sections: a value whose copies share what
/// they have in common.
///
/// - All matches are in `all`, in the order of the request, whatever the window; only where there are
///   sections and no window they are not, for then `members` has them.
/// - With sections, `members` has the rows in the window, grouped by the numbers of their sections.
///   `sections` has the sections in the order of their ranks and first members, each as heavy as it has
///   members, and `keys` has them in the order of their keys' hashes.
/// - Sections that are always there have the first numbers, and may have no members.
struct RankedRows: Sendable {
    /// A section that has members, or is always there.
    struct Section: Sendable {
        /// The number by which members are grouped, as long as the section is there.
        var number: Int32
        var label: SectionLabel
        /// The entry of the first member.
        var first: OrderedEntry?
        var count: Int
    }

    let window: Range<Int>
    let isSectioned: Bool
    var all = OrderedIndex()
    var members = OrderedIndex()
    var sections = WeightedSequence<Section>()
    var keys = WeightedSequence<(hash: Int, label: SectionLabel, number: Int32)>()
    /// How many sections are always there.
    var alwaysCount: Int32 = 0
    /// The number of the next new section.
    var nextNumber: Int32 = 0
    /// Whether something was not where its order has it: a comparator of somebody's own contradicts itself.
    var isContradicted = false

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

    /// The section of a key, if it is there.
    func section(of key: SectionKey) -> (label: SectionLabel, number: Int32)? {
        index(of: key).map { (keys[$0].label, keys[$0].number) }
    }

    /// Whether the section with a number is there.
    func hasSection(_ number: Int32) -> Bool {
        number < alwaysCount || members.first(ofGroup: number) != nil
    }

    /// Where a key is among the keys.
    func index(of key: SectionKey) -> Int? {
        let hash = key.hashValue
        for index in keys.count(where: { $0.hash < hash })..<keys.count {
            let found = keys[index]
            guard found.hash == hash else { return nil }
            if found.label.key == key { return index }
        }
        return nil
    }

    /// Lets a number be that of the section of a label's key.
    mutating func insert(_ label: SectionLabel, _ number: Int32) {
        let hash = label.key.hashValue
        keys.insert(
            (hash, label, number), weight: 1, number: number,
            at: keys.count { $0.hash < hash })
    }

    /// The index at which the section with a number and a label is, or belongs; it must be there.
    func index(
        ofSection number: Int32, _ label: SectionLabel, _ order: RowOrder, in graph: Graph
    ) -> Int {
        let first = members.first(ofGroup: number)
        return sections.count { other in
            switch other.label.rank.order(to: label.rank) {
            case .orderedAscending: return true
            case .orderedDescending: return false
            case .orderedSame:
                // One that has no members has a rank of its own.
                guard let start = other.first, let first else { return false }
                return order.precedes(start, first, in: graph)
            }
        }
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
        guard let section = section(of: query.section(of: row, in: graph)) else { return nil }
        entry.group = section.number
        guard let position = members.firstPosition(of: entry, tie: tie) else { return nil }
        return RowPosition(
            entry: entry, item: position - members.position(of: .start(of: section.number)),
            label: section.label)
    }
}

/// Where a row is among its section's.
struct RowPosition {
    /// What stands for the row; its group is the section's number.
    var entry: OrderedEntry
    /// The index inside the section.
    var item: Int
    /// That of the section.
    var label = SectionLabel.none
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
