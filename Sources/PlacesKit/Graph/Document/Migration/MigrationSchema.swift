/// The entities of a document while a stage of its migration changes them.
///
/// ```swift
/// try records.changeSchema { schema in
///     try schema.renameEntity("Picture", to: "Photo")
///     try schema.renameProperty("label", of: "Photo", to: "title")
///     try schema.addAttribute("rating", .int64, to: "Photo")
/// }
/// ```
public struct MigrationSchema {
    /// The entities; you may make here any changes for which there is no method.
    public var entities: [EntityDescription]

    private func number(of name: String) throws(SchemaError) -> Int {
        guard let number = entities.firstIndex(where: { $0.name == name }) else {
            throw .unknownEntity(name)
        }
        return number
    }

    private func location(
        of name: String, in entity: String
    ) throws(SchemaError) -> (entity: Int, position: Int) {
        let number = try number(of: entity)
        guard let position = entities[number].position(named: name) else {
            throw .unknownProperty(entity: entity, property: name)
        }
        return (number, position)
    }

    /// Adds an optional attribute, which is `nil` in all existing objects.
    ///
    /// - Throws: `SchemaError`.
    public mutating func addAttribute(
        _ name: String, _ type: AttributeType, to entity: String
    ) throws(SchemaError) {
        let attribute = AttributeDescription(name: name, type: type, isOptional: true)
        entities[try number(of: entity)].properties.append(.attribute(attribute))
    }

    /// Adds an entity without properties.
    ///
    /// - Throws: `SchemaError`.
    public mutating func addEntity(_ name: String) throws(SchemaError) {
        guard !entities.contains(where: { $0.name == name }) else { throw .duplicateEntity(name) }
        entities.append(EntityDescription(name: name, properties: []))
    }

    /// Renames an entity.
    ///
    /// - Throws: `SchemaError`.
    public mutating func renameEntity(_ name: String, to newName: String) throws(SchemaError) {
        let renamed = try number(of: name)
        entities[renamed].originalName = entities[renamed].identity
        entities[renamed].name = newName
        for number in entities.indices {
            if entities[number].superentity == name { entities[number].superentity = newName }
            for position in entities[number].properties.indices {
                guard case .relationship(var link) = entities[number].properties[position],
                    link.destination == name
                else { continue }
                link.destination = newName
                entities[number].properties[position] = .relationship(link)
            }
        }
    }

    /// Renames a property that the entity itself declares.
    ///
    /// - Throws: `SchemaError`.
    public mutating func renameProperty(
        _ name: String, of entity: String, to newName: String
    ) throws(SchemaError) {
        let (number, position) = try location(of: name, in: entity)
        switch entities[number].properties[position] {
        case .attribute(var attribute):
            attribute.originalName = attribute.originalName ?? name
            attribute.name = newName
            entities[number].properties[position] = .attribute(attribute)
        case .relationship(var relationship):
            relationship.originalName = relationship.originalName ?? name
            relationship.name = newName
            entities[number].properties[position] = .relationship(relationship)
            setInverse(of: name, in: entity, to: newName)
        }
    }

    /// Removes a property that the entity itself declares, and the inverse of a relationship.
    ///
    /// - Throws: `SchemaError`.
    public mutating func removeProperty(
        _ name: String, of entity: String
    ) throws(SchemaError) {
        let (number, position) = try location(of: name, in: entity)
        let isLink = entities[number].properties.remove(at: position).relationship != nil
        if isLink { setInverse(of: name, in: entity, to: nil) }
    }

    /// Removes an entity with all its records, and the relationships to it.
    ///
    /// - Throws: `SchemaError`.
    public mutating func removeEntity(_ name: String) throws(SchemaError) {
        entities.remove(at: try number(of: name))
        for number in entities.indices {
            entities[number].properties.removeAll { $0.relationship?.destination == name }
        }
    }

    /// Lets what mirrors a relationship mirror it under another name, or go with it.
    private mutating func setInverse(of name: String, in entity: String, to newName: String?) {
        for number in entities.indices {
            for position in entities[number].properties.indices.reversed() {
                guard case .relationship(var mirror) = entities[number].properties[position],
                    mirror.destination == entity, mirror.inverse == name
                else { continue }
                mirror.inverse = newName
                if newName == nil {
                    entities[number].properties.remove(at: position)
                } else {
                    entities[number].properties[position] = .relationship(mirror)
                }
            }
        }
    }

    /// The schema without what only matters to who asks it: indexes, constraints, and attributes that
    /// follow from what is there no more.
    func schema(version: Int) throws(SchemaError) -> Schema {
        var entities = entities
        for number in entities.indices {
            entities[number].uniqueConstraints = []
            entities[number].indexes = []
            entities[number].spatialIndexes = []
        }
        return try Schema(entities: entities.withoutUnderivable, version: version)
    }
}
