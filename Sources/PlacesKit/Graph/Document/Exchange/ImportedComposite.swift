/// A composite attribute that may be missing, of which files have a column for each part.
struct ImportedComposite {
    let name: String
    private let slots: [Slot]
    private let required: [Slot]
    /// The members of the parts.
    let mask: PropertyMask

    /// Those of a class that an object can have by halves: where parts are required, some without the others.
    static func all(of number: Int, in model: ObjectModel) -> [ImportedComposite] {
        let entity = model.layout.entities[number]
        func slots(_ names: [String]) -> [Slot] {
            names.compactMap { entity.slot(named: $0, in: model.layout) }
        }
        return model.classes[number].composites.filter { $0.value.isOptional }.map {
            name, composite in
            let parts = slots(composite.parts)
            return ImportedComposite(
                name: name, slots: parts, required: slots(composite.requiredParts),
                mask: PropertyMask(slots: parts))
        }.sorted { $0.name < $1.name }
    }

    /// Whether a column has a part.
    func isTold(of column: ImportColumn) -> Bool {
        if case .property(let slot) = column.subject { slots.contains(slot) } else { false }
    }

    /// The name of a required part that an object lacks while it has others.
    func missingPart(of row: Row, in table: ObjectTable) -> String? {
        func hasValue(_ slot: Slot) -> Bool {
            table.transaction.block(row, slot, in: table.number).isValid(at: row.offset)
        }
        guard let missing = required.first(where: { !hasValue($0) }),
            slots.contains(where: hasValue)
        else { return nil }
        return table.name(of: missing)
    }
}
