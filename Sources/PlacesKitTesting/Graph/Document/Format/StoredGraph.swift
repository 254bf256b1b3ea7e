import Foundation

/// The objects of a document, according to its files.
///
/// It is slow and obvious on purpose: a link is a number in a list on each of its sides, and every
/// search looks through everything.
struct StoredGraph {
    /// Identifies an object by its number, which is unique in a whole hierarchy of entities.
    struct Identity: Hashable {
        let top: String
        let number: Int64
    }

    struct Object {
        let entity: String
        /// The values of attributes as the files contain them.
        var values: [String: StoredTree] = [:]
        /// The numbers of the objects in each relationship.
        var links: [String: [Int64]] = [:]
    }

    let schema: StoredSchema
    private(set) var objects: [Identity: Object] = [:]

    init(_ schema: StoredSchema) { self.schema = schema }

    func identity(_ number: Int64, of entity: String) -> Identity {
        Identity(top: schema.top(of: entity), number: number)
    }

    // MARK: - Objects

    /// Adds an object without links.
    mutating func insert(_ tree: StoredTree, of entity: String) throws -> Identity {
        guard let members = tree.members, let number = members["id"]?.integer, number >= 0 else {
            throw StoredDocumentError("an object of \(entity) has no number")
        }
        guard let description = schema[entity], !description.isAbstract else {
            throw StoredDocumentError("\(entity)/\(number) is of no entity that has objects")
        }
        let identity = identity(number, of: entity)
        guard objects[identity] == nil else {
            throw StoredDocumentError("\(entity)/\(number) is there twice")
        }
        objects[identity] = Object(entity: entity)
        try write(members, to: identity)
        return identity
    }

    /// Sets the values of an object that a file gives.
    mutating func write(_ members: [String: StoredTree], to identity: Identity) throws {
        guard let entity = objects[identity]?.entity else {
            throw StoredDocumentError("\(identity.top)/\(identity.number) is changed and not there")
        }
        let properties = schema.properties(of: entity)
        for (key, value) in members where key != "id" {
            guard let property = properties.first(where: { $0.key == key }), !property.isDerived
            else {
                throw StoredDocumentError("\(entity) stores nothing as \(key)")
            }
            if property.type != nil { objects[identity]?.values[property.name] = value }
        }
    }

    /// Reads the JSON that property lists store as texts.
    mutating func readTextsOfJSON() throws {
        for (identity, object) in objects {
            for property in schema.properties(of: object.entity) where property.type == "json" {
                guard let text = object.values[property.name]?.unicodeText else { continue }
                objects[identity]?.values[property.name] = try StoredTree(json: Data(text.utf8))
            }
        }
    }

    /// Deletes an object with all its links.
    mutating func delete(_ identity: Identity) throws {
        guard objects.removeValue(forKey: identity) != nil else {
            throw StoredDocumentError("\(identity.top)/\(identity.number) is deleted and not there")
        }
        for (other, object) in objects {
            for property in schema.properties(of: object.entity) {
                guard let destination = property.destination,
                    schema.top(of: destination) == identity.top
                else { continue }
                objects[other]?.links[property.name]?.removeAll { $0 == identity.number }
            }
        }
    }

    // MARK: - Links

    /// The numbers of the objects in a relationship of an object.
    func members(of owner: Identity, _ relationship: String) -> [Int64] {
        objects[owner]?.links[relationship] ?? []
    }

    /// Sets a to-one relationship to an object, or to none.
    mutating func lead(_ owner: Identity, _ relationship: String, to number: Int64?) throws {
        guard members(of: owner, relationship) != (number.map { [$0] } ?? []) else { return }
        for former in members(of: owner, relationship) { try unlink(owner, relationship, former) }
        if let number { try link(owner, relationship, number) }
    }

    /// Adds a link on both sides; a to-one side loses the link that it had.
    mutating func link(_ owner: Identity, _ relationship: String, _ number: Int64) throws {
        let end = try end(of: owner, relationship, number)
        objects[owner]?.links[relationship, default: []].append(number)
        guard let inverse = end.inverse else { return }
        if !inverse.isToMany {
            for former in members(of: end.member, inverse.name) {
                try unlink(end.member, inverse.name, former)
            }
        }
        objects[end.member]?.links[inverse.name, default: []].append(owner.number)
    }

    /// Removes a link on both sides.
    mutating func unlink(_ owner: Identity, _ relationship: String, _ number: Int64) throws {
        let end = try end(of: owner, relationship, number)
        guard members(of: owner, relationship).contains(number) else {
            throw StoredDocumentError(
                "\(owner) is parted from \(number), which is not in \(relationship)")
        }
        objects[owner]?.links[relationship]?.removeAll { $0 == number }
        if let inverse = end.inverse {
            objects[end.member]?.links[inverse.name]?.removeAll { $0 == owner.number }
        }
    }

    /// Changes the order of a list of members.
    mutating func order(_ owner: Identity, _ relationship: String, _ numbers: [Int64]) throws {
        guard numbers.sorted() == members(of: owner, relationship).sorted() else {
            throw StoredDocumentError("\(owner).\(relationship) is ordered and has other members")
        }
        objects[owner]?.links[relationship] = numbers
    }

    /// The object at the other end of a link, and the inverse relationship.
    private func end(
        of owner: Identity, _ relationship: String, _ number: Int64
    ) throws -> (member: Identity, inverse: StoredSchema.Property?) {
        guard let entity = objects[owner]?.entity,
            let property = schema.property(relationship, of: entity)?.property,
            let destination = property.destination
        else { throw StoredDocumentError("\(owner) has no relationship \(relationship)") }
        let member = identity(number, of: destination)
        guard let found = objects[member], schema.isKind(found.entity, of: destination) else {
            throw StoredDocumentError(
                "\(owner).\(relationship) leads to \(destination)/\(number), which is not there")
        }
        return (member, property.inverse.flatMap { schema.property($0, of: destination)?.property })
    }
}

extension StoredGraph.Identity: CustomStringConvertible {
    var description: String { "\(top)/\(number)" }
}
