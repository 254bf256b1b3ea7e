extension StoredGraph {
    /// Reads the objects of a file snapshot.
    init(snapshot tree: StoredTree) throws {
        guard let top = tree.members, let objects = top["objects"]?.members else {
            throw StoredDocumentError("the snapshot has no objects")
        }
        guard top["placeskit"] == .integer(1) else {
            throw StoredDocumentError("the snapshot is of another format than 1")
        }
        self.init(try StoredSchema(top["entities"]))
        guard objects.keys.allSatisfy({ schema[$0] != nil }) else {
            throw StoredDocumentError("the snapshot has objects of no entity")
        }
        var inserted: [(identity: Identity, members: [String: StoredTree])] = []
        for entity in schema.entities {
            for object in objects[entity.name]?.list ?? [] {
                inserted.append((try insert(object, of: entity.name), object.members ?? [:]))
            }
        }
        for (identity, members) in inserted { try leadToOne(identity, members) }
        for (identity, members) in inserted { try linkManyToMany(identity, members) }
        for (identity, members) in inserted { try orderLists(identity, members) }
        for (name, next) in top["next"]?.members ?? [:] {
            let highest = self.objects.keys.lazy.filter { $0.top == name }.map(\.number).max()
            guard let next = next.integer, next > highest ?? -1 else {
                throw StoredDocumentError("the next number of \(name) is in use")
            }
        }
    }

    /// Links an object through the to-one relationships that its file gives.
    mutating func leadToOne(_ identity: Identity, _ members: [String: StoredTree]) throws {
        for property in relationships(of: identity) where !property.isToMany {
            guard let value = members[property.key] else { continue }
            guard value == .null || value.integer != nil else {
                throw StoredDocumentError("\(identity).\(property.name) is no number")
            }
            try lead(identity, property.name, to: value.integer)
        }
    }

    /// Links the members of a relationship whose inverse is to-many, too.
    private mutating func linkManyToMany(
        _ identity: Identity, _ members: [String: StoredTree]
    ) throws {
        for property in relationships(of: identity) where property.isToMany {
            guard let destination = property.destination, let name = property.inverse,
                self.schema.property(name, of: destination)?.property.isToMany == true,
                let entity = objects[identity]?.entity,
                self.schema.rank(property.name, of: entity)
                    < self.schema.rank(name, of: destination)
            else { continue }
            for member in try numbers(members[property.key]) {
                try link(identity, property.name, member)
            }
        }
    }

    /// Orders the lists that a file gives, once all members are linked.
    private mutating func orderLists(_ identity: Identity, _ members: [String: StoredTree]) throws {
        for property in relationships(of: identity) where property.isToMany {
            guard let list = members[property.key] else { continue }
            try order(identity, property.name, try numbers(list))
        }
    }

    private func relationships(of identity: Identity) -> [StoredSchema.Property] {
        schema.properties(of: objects[identity]?.entity ?? "").filter { $0.destination != nil }
    }

    private func numbers(_ list: StoredTree?) throws -> [Int64] {
        try (list?.list ?? []).map { number in
            guard let number = number.integer else {
                throw StoredDocumentError("a member of a list is no number")
            }
            return number
        }
    }
}
