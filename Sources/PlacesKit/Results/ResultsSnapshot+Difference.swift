extension ResultsSnapshot {
    /// Returns the difference that leads from earlier results to these, with the fewest moves.
    ///
    /// Only touched items are reported: those that went as deletes, those that came as inserts, the
    /// others as moves or updates. The moved are as few as can be while all untouched items
    /// stay in their places.
    ///
    /// An untouched item keeps its section and its order among the untouched. Where that does not
    /// hold, the fewest items that explain the difference are taken as touched too.
    ///
    /// - Parameters:
    ///   - before: The earlier results.
    ///   - touched: The items that came, went, changed, or may have moved.
    /// - Returns: The difference, with which ``applying(_:)`` turns `before` into these results.
    /// - Complexity: O(*n* + *s* log *s* + *k* log *k*) for *n* items, *s* sections and *k* touched
    ///   items: *n* look-ups in the set, the rest does not depend on the size of the results.
    ///   O(*n* log *n*) if untouched items moved.
    public func difference(
        from before: Self, touched: Set<Identifier>
    ) -> ResultsDifference<Identifier> {
        let matching = SectionMatching(from: before, to: self)
        var located = LocatedItems(touched, from: before, to: self, matching: matching)
        if !located.untouchedStay {
            let displaced = displaced(from: before, touched: touched, matching: matching)
            located = LocatedItems(
                touched.union(displaced), from: before, to: self, matching: matching)
        }
        return ResultsDifference(
            from: before, to: self, touched: located.items, matching: matching)
    }

    /// Returns the fewest untouched items without which the untouched ones keep order and section.
    private func displaced(
        from before: Self, touched: Set<Identifier>, matching: SectionMatching
    ) -> Set<Identifier> {
        var newIndices: [Identifier: Int] = [:]
        for (index, identifier) in identifiers.enumerated() where !touched.contains(identifier) {
            newIndices[identifier] = index
        }

        var candidates: [(identifier: Identifier, newIndex: Int)] = []
        for (oldSection, newSection) in matching.newIndices.enumerated() {
            guard let newSection else { continue }
            let range = sections[newSection].range
            for identifier in before.identifiers(inSection: oldSection) {
                guard let newIndex = newIndices[identifier], range.contains(newIndex) else {
                    continue
                }
                candidates.append((identifier, newIndex))
            }
        }
        let inPlace = heaviestIncreasingSubsequence(of: candidates.map(\.newIndex))
        return Set(before.identifiers).union(identifiers)
            .subtracting(inPlace.map { candidates[$0].identifier })
    }
}
