/// The schema at the top of a file.
struct StoredSchema: Equatable {
    struct Property: Equatable {
        let name: String
        let type: String?
        let isOptional: Bool
        let isUnique: Bool
        let isExternal: Bool
        let isDerived: Bool
        let allowed: [StoredTree]?
        let destination: String?
        let inverse: String?
        let isToMany: Bool
        let isOrdered: Bool
    }
    struct Entity: Equatable {
        let name: String
        let superentity: String?
        let isAbstract: Bool
        let properties: [Property]
        let uniqueCombinations: [[String]]
    }

    let entities: [Entity]

    init(_ tree: StoredTree?) throws {
        guard let list = tree?.list else {
            throw StoredDocumentError("there is no list of entities")
        }
        entities = try list.map(Entity.init)
        for entity in entities {
            guard entity.superentity.map({ self[$0] != nil }) ?? true else {
                throw StoredDocumentError(
                    "\(entity.name) inherits from an entity that is not there")
            }
            for property in entity.properties {
                guard let destination = property.destination else { continue }
                guard self[destination] != nil else {
                    throw StoredDocumentError("\(entity.name).\(property.name) leads to no entity")
                }
                guard let inverse = property.inverse else { continue }
                guard let other = self.property(inverse, of: destination)?.property,
                    other.inverse == property.name, let back = other.destination,
                    isKind(entity.name, of: back) || isKind(back, of: entity.name)
                else {
                    throw StoredDocumentError(
                        "\(entity.name).\(property.name) has an inverse that does not lead back")
                }
            }
        }
    }

    subscript(name: String) -> Entity? { entities.first { $0.name == name } }

    /// The entity, its superentity, and so on up.
    func line(of name: String) -> [Entity] {
        var (line, next): ([Entity], String?) = ([], name)
        while let name = next, let entity = self[name], line.count <= entities.count {
            line.append(entity)
            next = entity.superentity
        }
        return line
    }

    /// The entity at the top of a hierarchy, which numbers its objects.
    func top(of name: String) -> String { line(of: name).last?.name ?? name }

    func isKind(_ name: String, of other: String) -> Bool {
        line(of: name).contains { $0.name == other }
    }

    /// All properties of an entity, its own first.
    func properties(of name: String) -> [Property] { line(of: name).flatMap(\.properties) }

    /// A property of an entity, and the entity that declares it.
    func property(_ property: String, of name: String) -> (owner: String, property: Property)? {
        for entity in line(of: name) {
            if let found = entity.properties.first(where: { $0.name == property }) {
                return (entity.name, found)
            }
        }
        return nil
    }

    /// The position of a property among all properties of the schema.
    func rank(_ property: String, of name: String) -> Int {
        guard let owner = self.property(property, of: name)?.owner else { return .max }
        let all = entities.flatMap { entity in entity.properties.map { (entity.name, $0.name) } }
        return all.firstIndex { $0 == (owner, property) } ?? .max
    }
}

extension StoredSchema.Entity {
    init(_ tree: StoredTree) throws {
        guard let members = tree.members, let name = members["name"]?.text else {
            throw StoredDocumentError("an entity has no name")
        }
        self.name = name
        superentity = members["super"]?.text
        isAbstract = StoredTree.isTrue(members["abstract"])
        properties = try (members["properties"]?.list ?? []).map(StoredSchema.Property.init)
        uniqueCombinations = (members["unique"]?.list ?? []).map {
            ($0.list ?? []).compactMap(\.text)
        }
    }
}

extension StoredSchema.Property {
    init(_ tree: StoredTree) throws {
        guard let members = tree.members, let name = members["name"]?.text else {
            throw StoredDocumentError("a property has no name")
        }
        self.name = name
        type = members["type"]?.text
        isOptional = StoredTree.isTrue(members["optional"])
        isUnique = StoredTree.isTrue(members["unique"])
        isExternal = StoredTree.isTrue(members["external"])
        isDerived = members["derived"] != nil
        allowed = members["values"]?.list
        destination = members["to"]?.text
        inverse = members["inverse"]?.text
        isToMany = StoredTree.isTrue(members["many"])
        isOrdered = StoredTree.isTrue(members["ordered"])
        guard (type == nil) != (destination == nil) else {
            throw StoredDocumentError("\(name) is neither an attribute nor a relationship")
        }
    }

    /// The key of the property in the files' objects.
    var key: String { name == "id" ? ".id" : name }
}
