extension Graph {
    /// The objects that share all values of a unique combination with others.
    func brokenCombinations(in table: Int) -> [ValidationFailure] {
        let layout = layout.tables[table]
        return layout.combinations.indices.flatMap { number in
            let slots = layout.combinations[number].columns.map(\.column)
            let index = tables[table].uniqueIndexes[layout.uniqueSlots.count + number]
            return index.duplicates.sorted().compactMap { row -> ValidationFailure? in
                guard let other = self.row(withCombination: number, of: row, in: table) else {
                    return nil
                }
                return ValidationFailure(
                    object: objectID(row, in: table),
                    property: slots.map { layout.properties[$0].name }.joined(separator: ", "),
                    reason: .duplicateValues(
                        slots.map { describe(row, $0, in: table) },
                        other: objectID(other, in: table)))
            }
        }
    }

    /// The value of a property for an error's text: a relationship is the numbers that it leads to.
    func describe(_ row: Int32, _ slot: Int, in table: Int) -> Datum {
        guard layout.tables[table].relationships[slot] != nil else {
            return datum(row, slot, in: table)
        }
        let rows = related(row, slot, in: table).map(String.init)
        return rows.isEmpty ? .null : .string(rows.joined(separator: ", "))
    }
}
