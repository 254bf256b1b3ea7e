extension Graph {
    /// How many rows have each of some terms in an attribute, and how many words all have together, each counted
    /// once for a row.
    ///
    /// Where the words are indexed, a prefix with which very many begin counts as often as they do.
    ///
    /// - Complexity: O(log n) for each term that is one word of an indexed attribute of the rows themselves. A prefix is
    ///   as many steps as words begin with it, a phrase and a word longer than the index knows as many as rows may have
    ///   it. Across relationships also O(m) for m rows at their end, and their words. Without an index O(n).
    func statistics(
        of terms: [WordPattern.Term], _ path: [Slot], in table: TableNumber
    ) -> (length: Int, occurrences: [Int]) {
        let slot = path[path.count - 1]
        let (end, numbers) = ends(of: path.dropLast(), in: table)
        func sum(_ rows: some Sequence<Row>) -> Int {
            rows.reduce(0) { $0 + (numbers?[$1.index] ?? 1) }
        }
        guard let number = wordIndex(of: slot, in: end) else {
            return readStatistics(of: terms, slot, in: end, numbers)
        }
        let index = tables[end].wordIndexes[number]
        let occurrences = terms.map { term -> Int in
            if let count = index.count(of: term), numbers == nil || count == 0 { return count }
            let test = TextTest(term.position == .prefix ? .wordPrefixes : .words, term)
            let condition = Condition.testing(.attribute([slot]), test)
            return sum(fetchRows(condition, in: end) { _ in false })
        }
        let length = numbers == nil ? index.count : sum(index.entries.lazy.map(\.row))
        return (length, occurrences)
    }

    /// The same of an attribute whose words are not indexed: each text is read once.
    private func readStatistics(
        of terms: [WordPattern.Term], _ slot: Slot, in table: TableNumber,
        _ numbers: ContiguousArray<Int>?
    ) -> (length: Int, occurrences: [Int]) {
        var (length, occurrences) = (0, Array(repeating: 0, count: terms.count))
        var keys = ContiguousArray<WordKey>()
        rows(in: table).forEach { row in
            let number = numbers?[row.index] ?? 1
            guard number > 0,
                case .string(let text) = value(of: .attribute([slot]), row, in: table)
            else { return }
            TextWords.withFolded(text) { bytes in
                keys.removeAll(keepingCapacity: true)
                TextWords.forEach(in: bytes) { word, _ in keys.append(WordKey(bytes[word])) }
                keys.sort()
                for index in keys.indices where index == 0 || keys[index - 1] != keys[index] {
                    length += number
                }
                for (index, term) in terms.enumerated() where term.occurs(in: bytes) {
                    occurrences[index] += number
                }
            }
        }
        return (length, occurrences)
    }

    /// The table at the end of a chain of to-one relationships, and from how many rows it leads to each row there, by
    /// the row's index; `nil` for no chain, which leads from each row to itself.
    private func ends(
        of path: ArraySlice<Slot>, in table: TableNumber
    ) -> (table: TableNumber, numbers: ContiguousArray<Int>?) {
        var (table, numbers) = (table, ContiguousArray<Int>?.none)
        for slot in path {
            let next = destination(of: slot, in: table)
            var sums = ContiguousArray(
                repeating: 0, count: tables[next].chunkCount * ChunkLayout.rows)
            if numbers == nil, case .toOne(let list) = layout.tables[table].relationships[slot] {
                // Each row knows how many lead to it.
                rows(in: next).forEach { sums[$0.index] = count(of: $0, list) }
            } else {
                let rows = rows(in: table).rows
                for (row, target) in zip(rows, references(rows, slot, in: table))
                where !target.isNone {
                    sums[target.index] += numbers?[row.index] ?? 1
                }
            }
            (table, numbers) = (next, sums)
        }
        return (table, numbers)
    }
}

extension OrderedIndex {
    /// How many rows have a term in an index of words; `nil` where the entries alone do not tell.
    fileprivate func count(of term: WordPattern.Term) -> Int? {
        // It takes as long to read so many as a search for them does, and a word that common says little.
        let most = 1 << 16
        var least = Int.max
        let isExact = term.forEachKey { least = Swift.min(least, positions(of: $0).count) }
        // A row has an entry for each of its words that begin as the prefix does.
        let isOneEach = isExact && term.position != .prefix
        let isMany = term.position == .prefix && least > most
        return isOneEach || isMany || least == 0 ? least : nil
    }
}
