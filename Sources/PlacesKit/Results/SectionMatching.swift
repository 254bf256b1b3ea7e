/// Which section before a change is which section after it: the one of the same name.
///
/// Names repeat if the results are not sorted by section; then the first is matched with the first.
struct SectionMatching {
    /// For each old section its new index, or nil if there is no such section any more.
    private(set) var newIndices: [Int?]

    /// For each new section its old index, or nil if there was no such section.
    private(set) var oldIndices: [Int?]

    /// Matches sections by name, in O(*s*) for *s* sections.
    init<Identifier>(
        from before: ResultsSnapshot<Identifier>, to after: ResultsSnapshot<Identifier>
    ) {
        newIndices = Array(repeating: nil, count: before.sections.count)
        oldIndices = Array(repeating: nil, count: after.sections.count)
        var unmatched: [String: [Int]] = [:]
        for (index, section) in before.sections.enumerated().reversed() {
            unmatched[section.name, default: []].append(index)
        }
        for (newIndex, section) in after.sections.enumerated() {
            guard let oldIndex = unmatched[section.name]?.popLast() else { continue }
            newIndices[oldIndex] = newIndex
            oldIndices[newIndex] = oldIndex
        }
    }
}
