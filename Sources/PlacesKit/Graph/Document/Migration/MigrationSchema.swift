/// The entities of a document while a stage of its migration changes them.
///
/// ```swift
/// try records.changeSchema { schema in
///     try schema.renameEntity("Picture", to: "Photo")
///     try schema.renameProperty("label", of: "Photo", to: "title")
///     try schema.addAttribute("rating", .int64, to: "Photo")
///     try schema.addEntity("Album")
///     try schema.addRelationship("album", to: "Photo", destination: "Album", inverse: "photos")
/// }
/// ```
public struct MigrationSchema {
    /// The entities; you may make here any changes for which there is no method.
    ///
    /// Here an original name is the name before the change, if that was different. It is empty for what
    /// this change adds.
    public var entities: [EntityDescription]
    private let old: Schema

    init(_ schema: Schema) {
        old = schema
        entities = schema.entities
        for number in entities.indices {
            entities[number].originalName = nil
            for position in entities[number].properties.indices {
                entities[number].properties[position].originalName = nil
            }
        }
    }

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
        var attribute = AttributeDescription(name: name, type: type, isOptional: true)
        attribute.originalName = ""
        entities[try number(of: entity)].properties.append(.attribute(attribute))
    }

    /// Adds a relationship, which leads to nothing in all existing objects.
    ///
    /// A relationship of the model may have other properties: PlacesKit brings the links into it as it does
    /// without stages.
    ///
    /// - Parameters:
    ///   - name: The name of the relationship.
    ///   - entity: The entity to which it is added.
    ///   - destination: The entity to which it leads.
    ///   - inverse: The name of a to-many relationship that is added to the destination and mirrors it.
    ///     Only a to-one relationship may have none.
    ///   - isToMany: Whether the relationship holds any number of objects.
    /// - Throws: `SchemaError`.
    public mutating func addRelationship(
        _ name: String, to entity: String, destination: String, inverse: String? = nil,
        isToMany: Bool = false
    ) throws(SchemaError) {
        let (owner, target) = (try number(of: entity), try number(of: destination))
        guard !isToMany || inverse != nil else {
            throw .invalidProperty(
                entity: entity, property: name,
                problem: "is to-many, and needs an inverse. Name one, and it is added too.")
        }
        var relationship = RelationshipDescription(
            name: name, destination: destination, inverse: inverse, isToMany: isToMany)
        relationship.originalName = ""
        entities[owner].properties.append(.relationship(relationship))
        guard let inverse else { return }
        var mirror = RelationshipDescription(
            name: inverse, destination: entity, inverse: name, isToMany: true)
        mirror.originalName = ""
        entities[target].properties.append(.relationship(mirror))
    }

    /// Adds an entity without properties.
    ///
    /// - Throws: `SchemaError`.
    public mutating func addEntity(_ name: String) throws(SchemaError) {
        guard !entities.contains(where: { $0.name == name }) else { throw .duplicateEntity(name) }
        var entity = EntityDescription(name: name, properties: [])
        entity.originalName = ""
        entities.append(entity)
    }

    /// Renames an entity.
    ///
    /// - Throws: `SchemaError`.
    public mutating func renameEntity(_ name: String, to newName: String) throws(SchemaError) {
        let renamed = try number(of: name)
        entities[renamed].originalName = entities[renamed].originalName ?? name
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
        renameInDerivations(name, of: entity, to: newName)
        var property = entities[number].properties[position]
        property.originalName = property.originalName ?? name
        property.name = newName
        entities[number].properties[position] = property
        if property.relationship != nil { setInverse(of: name, in: entity, to: newName) }
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

    // MARK: - Schemas

    /// The schema without what only matters to who uses it: indexes, constraints, and which entities have no
    /// objects of their own.
    func edited() throws(SchemaError) -> Schema {
        var entities = entities
        for number in entities.indices {
            entities[number].uniqueConstraints = []
            entities[number].indexes = []
            entities[number].spatialIndexes = []
            entities[number].isAbstract = false
        }
        return try Schema(entities: entities, version: old.version, isOfStage: true)
    }

    /// An edited schema in which everything has its first name, not that before the change, as its
    /// original name.
    func restoringNames(of edited: Schema) throws(SchemaError) -> Schema {
        func firstName(of new: some Renamed, _ old: (some Renamed)?) -> String? {
            let name = old.map { $0.originalName ?? $0.name }
            return name == new.name ? nil : name
        }
        var entities = edited.entities
        for (number, entity) in edited.entities.enumerated() {
            let before = old.entity(named: entity.originalName ?? entity.name)
            entities[number].originalName = firstName(of: entity, before)
            for (position, property) in entity.properties.enumerated() {
                let earlier = before.flatMap {
                    old.entities.property(property.originalName ?? property.name, of: $0)
                }
                entities[number].properties[position].originalName = firstName(
                    of: property, earlier)
            }
        }
        return try Schema(entities: entities, version: edited.version, isOfStage: true)
    }
}
