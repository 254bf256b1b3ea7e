extension Graph {
    /// What is wrong with a row that has all values of a unique combination that another has.
    func brokenCombination(
        _ number: Int, _ row: Row, _ other: Row, in table: TableNumber
    ) -> ValidationFailure {
        let layout = layout.tables[table]
        let slots = layout.combinations[number].columns.map(\.column)
        return ValidationFailure(
            object: objectID(row, in: table),
            property: slots.map { layout.properties[$0].name }.joined(separator: ", "),
            reason: .duplicateValues(
                slots.map { describe(row, $0, in: table) }, other: objectID(other, in: table)))
    }

    /// The value of a property for an error's text: a relationship is the objects that it leads to.
    func describe(_ row: Row, _ slot: Slot, in table: TableNumber) -> Datum {
        guard layout.tables[table].relationships[slot] != nil else {
            return datum(row, slot, in: table)
        }
        let destination = destination(of: slot, in: table)
        let others = related(row, slot, in: table).map { objectID($0, in: destination).description }
        return others.isEmpty ? .null : .string(others.joined(separator: ", "))
    }
}
