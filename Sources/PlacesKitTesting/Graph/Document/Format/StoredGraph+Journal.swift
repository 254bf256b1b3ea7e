extension StoredGraph {
    /// Applies a commit, its keys in the order of the format's table.
    mutating func apply(_ line: [String: StoredTree]) throws {
        for (entity, numbers) in line["delete"]?.members ?? [:] {
            for number in numbers.list ?? [] {
                // What is kept of the object besides its number belongs to the history.
                let number = number.members?["id"] ?? number
                try delete(identity(try self.number(number), of: entity))
            }
        }
        var written: [(identity: Identity, members: [String: StoredTree])] = []
        try forEachObject(line["insert"]) { graph, entity, object in
            written.append((try graph.insert(object, of: entity), object.members ?? [:]))
        }
        try forEachObject(line["update"]) { graph, entity, object in
            let identity = graph.identity(try graph.number(object.members?["id"]), of: entity)
            try graph.write(object.members ?? [:], to: identity)
            written.append((identity, object.members ?? [:]))
        }
        for (identity, members) in written { try leadToOne(identity, members) }
        try forEachEntry(line["unlink"]) { graph, owner, relationship, entry in
            try graph.unlink(owner, relationship, try graph.number(entry[1]))
        }
        try forEachEntry(line["link"]) { graph, owner, relationship, entry in
            try graph.link(owner, relationship, try graph.number(entry[1]))
        }
        try forEachEntry(line["move"]) { graph, owner, relationship, entry in
            let member = try graph.number(entry[1])
            var list = graph.members(of: owner, relationship).filter { $0 != member }
            let predecessor = entry.count > 2 ? entry[2].integer : nil
            let position = predecessor.map { list.firstIndex(of: $0).map { $0 + 1 } ?? list.count }
            list.insert(member, at: position ?? 0)
            try graph.order(owner, relationship, list)
        }
        try forEachEntry(line["order"]) { graph, owner, relationship, entry in
            try graph.order(
                owner, relationship, try (entry[1].list ?? []).map { try graph.number($0) })
        }
    }

    /// Calls `body` with the objects under a key such as `insert`, entity by entity.
    private mutating func forEachObject(
        _ tree: StoredTree?,
        _ body: (inout StoredGraph, _ entity: String, StoredTree) throws -> Void
    ) throws {
        let members = tree?.members ?? [:]
        guard members.keys.allSatisfy({ schema[$0] != nil }) else {
            throw StoredDocumentError("a commit has objects of no entity")
        }
        for entity in schema.entities {
            for object in members[entity.name]?.list ?? [] { try body(&self, entity.name, object) }
        }
    }

    /// Calls `body` with the entries under a key such as `link`, by relationships: `Album.readers`.
    private mutating func forEachEntry(
        _ tree: StoredTree?,
        _ body: (inout StoredGraph, Identity, _ relationship: String, [StoredTree]) throws -> Void
    ) throws {
        for (name, entries) in tree?.members ?? [:] {
            let parts = name.split(separator: ".", maxSplits: 1)
            guard parts.count == 2, schema[String(parts[0])] != nil else {
                throw StoredDocumentError("a commit links by \(name), which is no relationship")
            }
            for entry in entries.list ?? [] {
                guard let entry = entry.list, entry.count >= 2 else {
                    throw StoredDocumentError("an entry of \(name) has no two parts")
                }
                let owner = identity(try number(entry[0]), of: String(parts[0]))
                try body(&self, owner, String(parts[1]), entry)
            }
        }
    }

    private func number(_ tree: StoredTree?) throws -> Int64 {
        guard let number = tree?.integer else {
            throw StoredDocumentError("something stands instead of an object's number")
        }
        return number
    }
}
