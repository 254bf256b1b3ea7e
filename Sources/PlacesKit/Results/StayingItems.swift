/// The sections and touched items that a difference can leave in their places: as many as possible.
///
/// Two levels decide. In each section that exists before and after, what stays is the longest
/// increasing subsequence of those touched items that remain in the section and have as many
/// untouched items before them as they had. Among these sections it is the heaviest increasing
/// subsequence of those that have as many sections with untouched items before them as they had,
/// where a section weighs as much as it has items that stay.
struct StayingItems {
    /// The old indices of the sections that stay.
    let sections: Set<Int>

    /// The indices of the touched items that stay.
    let items: Set<Int>

    /// Finds what stays in O(*s* log *s* + *k* log *k*) for *s* sections and *k* touched items.
    init<Identifier>(
        from before: ResultsSnapshot<Identifier>, to after: ResultsSnapshot<Identifier>,
        touched: [TouchedItem<Identifier>], matching: SectionMatching
    ) {
        let old = UntouchedNeighbours(of: touched.map(\.oldPosition), in: before)
        let new = UntouchedNeighbours(of: touched.map(\.newPosition), in: after)

        var candidates: [Int: [(index: Int, old: Int, new: Int)]] = [:]
        for (index, item) in touched.enumerated() {
            guard let from = item.oldPosition, let to = item.newPosition,
                matching.newIndices[from.section] == to.section,
                old.before[index] == new.before[index]
            else { continue }
            candidates[from.section, default: []].append((index, from.item, to.item))
        }
        let itemsThatStay = candidates.mapValues { candidates in
            let candidates = candidates.sorted { $0.old < $1.old }
            return heaviestIncreasingSubsequence(of: candidates.map(\.new))
                .map { candidates[$0].index }
        }

        let pairs = matching.newIndices.enumerated()
            .compactMap { old, new in new.map { (old: old, new: $0) } }
            .filter { old.sectionsBefore[$0.old] == new.sectionsBefore[$0.new] }
        // One item more that stays outweighs all sections; among equals, more sections stay.
        let weights = pairs.map { 1 + (itemsThatStay[$0.old]?.count ?? 0) * (pairs.count + 1) }
        sections = Set(
            heaviestIncreasingSubsequence(of: pairs.map(\.new), weights: weights)
                .map { pairs[$0].old })
        items = Set(
            itemsThatStay.filter { [sections] in sections.contains($0.key) }.values.joined())
    }
}
