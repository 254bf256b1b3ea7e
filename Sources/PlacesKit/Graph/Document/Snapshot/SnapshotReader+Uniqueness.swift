import PlacesBase
extension SnapshotReader {
    /// The slot of a unique attribute whose value two objects of a table share, if there is one.
    func duplicate(in table: TableNumber) -> Slot? {
        let indexes = transaction.graph.tables[table].uniqueIndexes
        return zip(layout.tables[table].uniqueSlots, indexes)
            .first { $1.hasDuplicates }?.0
    }

    func checkUniqueness(
        of row: Row, _ table: TableNumber, _ json: borrowing (some SnapshotInput & ~Copyable)
    ) throws {
        guard let slot = duplicate(in: table) else { return }
        let name = layout.tables[table].properties[slot].name
        let value = transaction.graph.datum(row, slot, in: table)
        throw json.expected(
            """
            a unique \(name), but another \(layout.tables[table].name) has \(value) too
            """)
    }

    /// Checks unique combinations, which links may be part of, when all links are tied.
    func checkCombinations(_ json: borrowing (some SnapshotInput & ~Copyable)) throws {
        let graph = transaction.graph
        for (table, layout) in zip(graph.layout.tables.tableNumbers, graph.layout.tables) {
            for (number, combination) in layout.combinations.enumerated() {
                let index = layout.uniqueSlots.count + number
                guard let row = graph.tables[table].uniqueIndexes[index].duplicates.first else {
                    continue
                }
                guard settlesEach else { throw DuplicateValue() }
                let names = combination.columns.map { layout.properties[$0.column].name }
                throw json.expected(
                    """
                    a unique combination of \(names.joined(separator: ", ")), but \
                    \(layout.name) \(graph.number(of: row, in: table)) shares it with another
                    """, at: offsets[table]?[row])
            }
        }
    }
}
