/// A composite attribute that may be missing: an object has all parts that are required, or none at all.
struct OptionalComposite {
    let name: String
    let slots: [Slot]
    let required: [Slot]
    /// What `init()` makes of the required parts.
    let initial: [Datum]
    /// The members of the parts.
    let mask: PropertyMask

    /// Whether a row has a part of it, and not all that are required.
    func isHalf(at row: Row, in table: Table) -> Bool {
        required.contains { !table.columns[$0].isValid(at: row) }
            && slots.contains { table.columns[$0].isValid(at: row) }
    }

    /// Those of a class.
    static func all(of number: Int, in model: ObjectModel) -> [OptionalComposite] {
        let entity = model.layout.entities[number]
        func slots(_ names: [String]) -> [Slot] {
            names.compactMap { entity.slot(named: $0, in: model.layout) }
        }
        return model.classes[number].composites.filter { $0.value.isOptional }.map {
            name, composite in
            let parts = slots(composite.parts)
            return OptionalComposite(
                name: name, slots: parts, required: slots(composite.requiredParts),
                initial: composite.initialParts, mask: PropertyMask(slots: parts))
        }.sorted { $0.name < $1.name }
    }
}

extension ChangeValidator {
    /// Checks that the objects of just one class have optional composite attributes wholly or not at all, where changes wrote
    /// a part.
    mutating func checkComposites(
        _ changes: ChangeSet, of table: ObjectTable, in model: ObjectModel
    ) {
        let (number, entity) = (table.number, table.entityLayout)
        for composite in model.optionalComposites[table.entityNumber] {
            let updated = changes.tables[number].updated.filter { update in
                composite.slots.contains { changes.hasChanged(update, $0, in: number) }
            }
            let rows = changes.tables[number].inserted + updated.map(\.row)
            check(composite, graph.rows(rows, of: entity), in: number)
        }
    }

    /// Checks the same of some existing objects of the class.
    mutating func check(
        _ composite: OptionalComposite, _ rows: ContiguousArray<Row>, in table: TableNumber
    ) {
        let columns = graph.tables[table].columns
        for slot in composite.required {
            for row in columns[slot].reader.rowsWithoutValue(among: rows)
            where composite.slots.contains(where: { columns[$0].isValid(at: row) }) {
                fail(row, slot, in: table, .missingValue)
            }
        }
    }
}
