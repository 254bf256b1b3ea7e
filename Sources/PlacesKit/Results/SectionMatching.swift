/// Which section before a change is which section after it: the one of the same name.
///
/// Names repeat if the results are not sorted by section; then the first is matched with the first.
struct SectionMatching {
    /// For each old section its new index, or nil if there is no such section any more.
    private(set) var newIndices: [Int?]

    /// All sections, each once.
    private(set) var fates: [SectionFate]

    /// Matches sections by name, in O(*s*) for *s* sections.
    init(from before: [String], to after: [String]) {
        newIndices = Array(repeating: nil, count: before.count)
        fates = before.enumerated().map { SectionFate(oldIndex: $0, oldName: $1) }
        var unmatched: [String: [Int]] = [:]
        for (index, name) in before.enumerated().reversed() {
            unmatched[name, default: []].append(index)
        }
        for (newIndex, name) in after.enumerated() {
            guard let oldIndex = unmatched[name]?.popLast() else {
                fates.append(SectionFate(newIndex: newIndex, newName: name))
                continue
            }
            newIndices[oldIndex] = newIndex
            fates[oldIndex].newIndex = newIndex
            fates[oldIndex].newName = name
        }
    }
}
