/// Which section before a change is which section after it: the one of the same key.
///
/// Keys repeat if somebody makes a list in which they do; then the first is matched with the first.
struct SectionMatching {
    /// For each old section its new index, or nil if there is no such section any more.
    private(set) var newIndices: [Int?]

    /// All sections, each once.
    private(set) var fates: [SectionFate]

    /// Matches sections by key, in O(*s*) for *s* sections.
    init(from before: [SectionLabel], to after: [SectionLabel]) {
        newIndices = Array(repeating: nil, count: before.count)
        fates = before.enumerated().map { SectionFate(oldIndex: $0, oldLabel: $1) }
        var unmatched: [SectionKey: [Int]] = [:]
        for (index, label) in before.enumerated().reversed() {
            unmatched[label.key, default: []].append(index)
        }
        for (newIndex, label) in after.enumerated() {
            guard let oldIndex = unmatched[label.key]?.popLast() else {
                fates.append(SectionFate(newIndex: newIndex, newLabel: label))
                continue
            }
            newIndices[oldIndex] = newIndex
            fates[oldIndex].newIndex = newIndex
            fates[oldIndex].newLabel = label
        }
    }
}
