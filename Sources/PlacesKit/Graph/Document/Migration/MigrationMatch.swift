/// Which entity and property of an earlier schema is which of another.
struct MigrationMatch {
    /// For each entity the one that it was, by number.
    let entities: [Int?]
    /// For each earlier entity the one that it is now.
    let successors: [Int?]
    /// For each entity, and each of its properties in the order of its slots, the slot that the property
    /// had.
    let slots: [[Slot?]]

    /// Matches by names, with those that properties and entities had before.
    ///
    /// What an entity inherits counts as its own, so properties may move up and down a hierarchy.
    ///
    /// - Parameters:
    ///   - old: The earlier layout.
    ///   - new: The layout that follows it.
    ///   - edited: The new schema as the edit of a stage left it: its original names are those in the old
    ///     one.
    init(from old: GraphLayout, to new: GraphLayout, edited: Schema? = nil) {
        let schema = edited ?? new.schema
        func match<Thing: Renamed>(_ new: [Thing], in old: [Thing]) -> [Int?] {
            edited == nil
                ? NameMatch.positions(of: new, in: old)
                : NameMatch.positions(ofEdited: new, in: old)
        }
        let positions = match(schema.entities, in: old.schema.entities)
        entities = positions
        successors = old.schema.entities.indices.map { positions.firstIndex(of: $0) }
        slots = new.entities.indices.map { number in
            let entity = new.entities[number]
            guard let position = positions[number] else { return entity.slots.map { _ in nil } }
            let source = old.entities[position]
            let properties = schema.lineage(of: number).flatMap { schema.entities[$0].properties }
            let earlier = source.slots.map { old.tables[source.table].properties[$0] }
            let stored = properties.indices.filter { properties[$0].isStored }
            let matches = match(stored.map { properties[$0] }, in: earlier)
            var slots = [Slot?](repeating: nil, count: properties.count)
            for (index, match) in zip(stored, matches) {
                guard let match, earlier[match].attribute?.isTransient != true,
                    (properties[index].relationship == nil)
                        == (earlier[match].relationship == nil)
                else { continue }
                slots[index] = source.slots[match]
            }
            return slots
        }
    }
}
