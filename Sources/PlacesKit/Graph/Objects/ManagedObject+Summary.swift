import PlacesBase

extension ManagedObject {
    /// How many properties are shown, and how many characters of a text.
    private static var propertyLimit: Int { 40 }
    private static var textLimit: Int { 60 }

    /// The object for people: `Photo/17 (title: "Dusk", takenAt: Place/3, tags: 2 objects)`.
    final var summary: String {
        guard let table else { return "\(Self.self), a prototype" }
        let graph = table.transaction.graph
        guard graph.tables[table.number].rows.contains(row) else {
            return "\(objectID), which was never saved"
        }
        let slots = table.entityLayout.slots
        var parts = slots.prefix(Self.propertyLimit).map {
            "\(table.name(of: $0)): \(summary(of: $0, table, in: graph))"
        }
        if slots.count > Self.propertyLimit { parts.append("…") }
        let state = _access.pointee.contains(row) ? "" : ", which is deleted,"
        return "\(objectID)\(state) (\(parts.joined(separator: ", ")))"
    }

    private final func summary(of slot: Slot, _ table: ObjectTable, in graph: Graph) -> String {
        let layout = table.layout
        switch layout.relationships[slot] {
        case .toMany, .manyToMany:
            let count = graph.memberCount(row, slot, in: table.number)
            return count.counted("object")
        case .toOne, .oneToOne:
            return graph.propertyValue(row, slot, in: table.number).description
        case nil: break
        }
        let column = graph.tables[table.number].columns[slot]
        if column.kind == .blob {
            guard column.isValid(at: row) else { return "nil" }
            return "\(column.element(Blob.self, at: row).count) bytes"
        }
        let value = graph.value(row, slot, in: table.number)
        guard case .string(let text) = value else { return value.description }
        let beginning = text.prefix(Self.textLimit)
        return (beginning.endIndex < text.endIndex ? beginning + "…" : beginning).debugDescription
    }
}
