/// How the touched items of one snapshot lie among its untouched ones.
///
/// The untouched keep their order, so a touched item can stay in its place only if as many of them
/// are before it as were.
struct UntouchedNeighbours {
    /// For each touched item the number of untouched ones before it in its section.
    private(set) var before: [Int]

    /// For each section the number of its untouched items.
    private(set) var inSection: [Int]

    /// For each section the number of earlier sections with untouched items.
    private(set) var sectionsBefore: [Int]

    /// Counts in O(*s* + *k* log *k*), where nil is the position of an item that is not there.
    init<Identifier>(
        of positions: [ItemPosition?], in snapshot: ResultsSnapshot<Identifier>
    ) {
        before = Array(repeating: 0, count: positions.count)
        inSection = snapshot.sections.map(\.numberOfItems)
        sectionsBefore = []

        let present = positions.enumerated()
            .compactMap { index, position in position.map { (index: index, position: $0) } }
            .sorted { $0.position < $1.position }
        var touched = [Int](repeating: 0, count: inSection.count)
        for (index, position) in present {
            before[index] = position.item - touched[position.section]
            touched[position.section] += 1
            inSection[position.section] -= 1
        }

        var sections = 0
        for untouched in inSection {
            sectionsBefore.append(sections)
            if untouched > 0 { sections += 1 }
        }
    }
}
