/// The to-many relationships of a journal's schema.
struct JournalLists {
    /// The entities at both ends, by the name that the relationship has in the journal.
    private var ends: [String: (owner: String, member: String)] = [:]
    /// The entity at the top of each entity's hierarchy, whose objects share their numbers.
    private var roots: [String: String] = [:]

    init(_ entities: [EntityDescription]) {
        let known = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
        for entity in entities {
            var root = entity
            // Nobody has checked that entities do not inherit from each other in a circle.
            for _ in entities { root = root.superentity.flatMap { known[$0] } ?? root }
            roots[entity.name] = root.name
            for relationship in entity.relationships where relationship.isToMany {
                ends["\(entity.name).\(relationship.name)"] = (
                    entity.name, relationship.destination
                )
            }
        }
    }

    /// Objects of which a record says only with whom they are linked, or in which order they have others.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - told: The objects of which it says more.
    /// - Returns: The entities that the relationships name, by the objects.
    func linkedObjects(
        of record: ChangeRecord, but told: [ChangeRecord.Object]
    ) -> [ObjectID: String] {
        var names: [ObjectID: String] = [:]
        func note(_ number: Int64, of entity: String?) {
            guard let entity else { return }
            names[object(number, of: entity)] = entity
        }
        for link in record.unlinked + record.linked {
            note(link.owner, of: ends[link.relationship]?.owner)
            note(link.member, of: ends[link.relationship]?.member)
        }
        for move in record.moved { note(move.owner, of: ends[move.relationship]?.owner) }
        for order in record.ordered { note(order.owner, of: ends[order.relationship]?.owner) }
        guard !names.isEmpty else { return [:] }
        for id in told.map(\.id) { names[object(id.number, of: id.entity)] = nil }
        return names
    }

    /// The same for an object, whichever entity of its hierarchy it is named by.
    private func object(_ number: Int64, of entity: String) -> ObjectID {
        ObjectID(entity: roots[entity] ?? entity, number: number)
    }
}
