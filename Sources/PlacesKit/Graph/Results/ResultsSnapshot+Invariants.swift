extension ResultsSnapshot {
    /// What is wrong with the snapshot, or nil if its sections tile the identifiers, and each of
    /// these occurs once.
    ///
    /// - Complexity: O(*n*). For tests.
    package var brokenInvariant: String? {
        var end = 0
        for (index, section) in sections.enumerated() {
            guard section.range.lowerBound == end else {
                return "Section \(index) (\(section.name)) begins at \(section.range.lowerBound)"
                    + ", but the one before it ends at \(end)."
            }
            end = section.range.upperBound
        }
        guard end == identifiers.count else {
            return "The sections end at \(end), the identifiers at \(identifiers.count)."
        }
        guard Set(identifiers).count == identifiers.count else {
            return "An identifier occurs more than once in \(Array(identifiers))."
        }
        let sole = sections.count == 1 && sections[0].name.isEmpty
        let always = Set((storage as? RankedResults)?.query.always.map(\.key) ?? [])
        guard sole || sections.allSatisfy({ !$0.range.isEmpty || always.contains($0.key) }) else {
            return "A section is empty in \(self)."
        }
        return nil
    }
}
