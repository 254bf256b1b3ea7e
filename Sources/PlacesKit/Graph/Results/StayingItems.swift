/// The touched items that a difference can leave where they are: first those that did not change, then as many
/// others as possible.
///
/// The untouched keep their order, so a touched item can stay only if it remains in its section and
/// as many untouched ones are before it there as were. Of those that can, the heaviest increasing
/// subsequence does, in which an item that did not change outweighs all that did: it is not to be told of
/// when another passes it.
struct StayingItems<Identifier: Hashable & Sendable> {
    /// The indices of the items that stay.
    let indices: Set<Int>

    /// Finds what stays in O(k log k) for k items; `newSection` gives the new index of an old section.
    init(_ items: [TouchedItem<Identifier>], newSection: (Int) -> Int?) {
        let old = Self.untouchedBefore(items.map(\.oldPosition))
        let new = Self.untouchedBefore(items.map(\.newPosition))
        var candidates: [Int: [(index: Int, old: Int, new: Int)]] = [:]
        for (index, item) in items.enumerated() {
            guard let from = item.oldPosition, let to = item.newPosition,
                newSection(from.section) == to.section, old[index] == new[index]
            else { continue }
            candidates[from.section, default: []].append((index, from.item, to.item))
        }
        var indices: Set<Int> = []
        for candidates in candidates.values {
            let candidates = candidates.sorted { $0.old < $1.old }
            let areAllChanged = candidates.allSatisfy { items[$0.index].isChanged }
            let weights =
                areAllChanged
                ? nil : candidates.map { items[$0.index].isChanged ? 1 : candidates.count }
            for index in heaviestIncreasingSubsequence(of: candidates.map(\.new), weights: weights)
            {
                indices.insert(candidates[index].index)
            }
        }
        self.indices = indices
    }

    /// For each position the number of positions before it in its section that are not among them.
    private static func untouchedBefore(_ positions: [ItemPosition?]) -> [Int] {
        var before = [Int](repeating: 0, count: positions.count)
        let present = positions.enumerated()
            .compactMap { index, position in position.map { (index: index, position: $0) } }
            .sorted { $0.position < $1.position }
        var section: Int?
        var touched = 0
        for (index, position) in present {
            if position.section != section { (section, touched) = (position.section, 0) }
            before[index] = position.item - touched
            touched += 1
        }
        return before
    }
}
