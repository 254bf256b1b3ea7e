import PlacesBase

/// Objects of which a line of a journal says only with whom they are linked, or in which order they have others.
struct LinkedObjects {
    private static let keys = JSONKeyTable([SnapshotKeys.identifier])

    private let lists: JournalLists
    /// The entity that a relationship names, by the object.
    private var names: [ObjectID: String] = [:]

    init(_ lists: JournalLists) { self.lists = lists }

    var isEmpty: Bool { names.isEmpty }

    var count: Int { names.count }

    /// The entities that the relationships name.
    var entities: Set<String> { Set(names.values) }

    /// Reads the links or positions of a line, and notes whose they are.
    mutating func note(_ section: JournalKeys.Record, from json: inout JSONReader) throws {
        switch section {
        case .move:
            for move in try json.readMoves() {
                note(move.owner, of: lists.ends[move.relationship]?.owner)
            }
        case .order:
            for order in try json.readOrders() {
                note(order.owner, of: lists.ends[order.relationship]?.owner)
            }
        default:
            for link in try json.readLinks() {
                let ends = lists.ends[link.relationship]
                note(link.owner, of: ends?.owner)
                note(link.member, of: ends?.member)
            }
        }
    }

    private mutating func note(_ number: Int64, of entity: String?) {
        guard let entity else { return }
        names[lists.object(number, of: entity)] = entity
    }

    /// Forgets those of which a line says more.
    mutating func removeObjects(of line: UnsafeRawBufferPointer) throws {
        var json = JSONReader(line)
        try json.beginObject()
        while let key = try json.nextKey(in: JournalKeys.record) {
            guard key == .insert || key == .update else {
                try json.skipValue()
                continue
            }
            try json.beginObject()
            while let entity = try json.nextKey() {
                try json.beginArray()
                while try json.nextElement() {
                    try json.beginObject(withKeys: Self.keys)
                    names[lists.object(try json.readInt64(), of: entity)] = nil
                    while try json.nextKey() != nil { try json.skipValue() }
                }
            }
        }
    }
}

/// The to-many relationships of a journal's schema.
struct JournalLists {
    /// The entities at both ends, by the name that the relationship has in the journal.
    private(set) var ends: [String: (owner: String, member: String)] = [:]
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

    /// The same for an object, whichever entity of its hierarchy it is named by.
    func object(_ number: Int64, of entity: String) -> ObjectID {
        ObjectID(entity: roots[entity] ?? entity, number: number)
    }
}
