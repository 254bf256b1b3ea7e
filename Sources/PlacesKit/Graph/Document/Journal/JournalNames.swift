import PlacesBase

/// The names that the properties of a schema have in a journal.
struct JournalNames: Sendable {
    /// The keys of each entity's objects: "id", then the properties in the order of its slots.
    let objects: [JSONKeyTable]
    /// The names of the entities.
    let entities: JSONKeyTable
    /// The to-many relationships, by their position among the names in `lists`.
    let relationships: [(table: TableNumber, slot: Slot)]
    /// The names of the to-many relationships: "Box.items".
    let lists: JSONKeyTable
    private let numbers: [[Int?]]

    /// Finds the names.
    ///
    /// - Parameters:
    ///   - layout: Where the properties lie.
    ///   - names: The name of each property in the file, by entity; all have their own name where it is
    ///     left out.
    init(_ layout: GraphLayout, names: [[String: String]]? = nil) {
        let schema = layout.schema
        func name(_ property: PropertyDescription, of entity: Int) -> String {
            guard let names else { return property.isStored ? property.name : "" }
            return property.isStored ? names[entity][property.name] ?? "" : ""
        }
        objects = schema.entities.indices.map { SnapshotKeys.table(of: $0, in: schema, name) }
        entities = JSONKeyTable(schema.entities.map(\.name))
        var relationships: [(table: TableNumber, slot: Slot)] = []
        var lists: [String] = []
        var numbers: [[Int?]] = layout.tables.map {
            Array(repeating: nil, count: $0.relationships.count)
        }
        for (number, entity) in layout.entities.enumerated() {
            let own = schema.entities[number].properties
            for (property, slot) in zip(own, entity.slots)
            where property.relationship?.isToMany ?? false {
                numbers[entity.table][slot] = lists.count
                relationships.append((entity.table, slot))
                lists.append("\(entity.name).\(name(property, of: number))")
            }
        }
        self.relationships = relationships
        self.lists = JSONKeyTable(lists)
        self.numbers = numbers
    }

    /// The position of a to-many relationship among the names in `lists`.
    func number(of slot: Slot, in table: TableNumber) -> Int? { numbers[table][slot] }
}
