extension Graph {
    /// The number of the index of the words of a slot's text.
    func wordIndex(of slot: Slot, in table: TableNumber) -> Int? {
        layout.tables[table].wordIndexes.firstIndex { $0.column.column == slot }
    }

    /// The parts of an index where all words of a pattern lie, the rarest first, and whether the rows
    /// that all of them have are just those that match; `nil` where there is no index, or no word.
    func wordRanges(
        _ pattern: WordPattern, _ slot: Slot, in table: TableNumber
    ) -> (ranges: [WordRange], isExact: Bool)? {
        guard let number = wordIndex(of: slot, in: table), !pattern.terms.isEmpty else {
            return nil
        }
        let index = tables[table].wordIndexes[number]
        var ranges: [WordRange] = []
        var isExact = true
        for term in pattern.terms {
            let isAll = term.forEachKey { keys in
                ranges.append(
                    WordRange(
                        index: number, positions: index.positions(of: keys),
                        isOneWord: term.position != .prefix, text: term.text))
            }
            isExact = isExact && isAll
        }
        ranges.sort { $0.positions.count < $1.positions.count }
        return (ranges, isExact)
    }
}
