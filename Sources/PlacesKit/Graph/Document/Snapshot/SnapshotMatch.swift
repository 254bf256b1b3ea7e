/// Which property of a file is which of a model, where the file can be read as if it were the model's.
///
/// A property is the same under a new name where `NameMatch` says so.
struct SnapshotMatch {
    /// The name that each property of the model has in the file, by entity.
    private(set) var names: [[String: String]]
    /// What has to be migrated, a sentence each.
    ///
    /// Rules that concern only changes to come, such as delete rules and abstractness, may differ, and so
    /// may indexes and derived attributes, of which no values are written.
    private(set) var differences: [String] = []

    init(_ found: [EntityDescription], _ model: [EntityDescription]) {
        let positions = NameMatch.positions(of: model, in: found)
        names = zip(model, positions).map { entity, position in
            position.map { Self.names(of: entity, in: found[$0]) } ?? [:]
        }
        for (position, entity) in found.enumerated() where !positions.contains(position) {
            differences.append("the model has no \(entity.name)")
        }
        for (number, entity) in model.enumerated() {
            if let position = positions[number] {
                compare(number, entity, found[position], model)
            } else {
                differences.append("the document has no \(entity.name)")
            }
        }
    }

    /// Matches the schema at the top of a file with that of a model.
    ///
    /// - Throws: `SnapshotError.differentModel` where the file has to be migrated.
    init(_ found: [EntityDescription], _ version: Int, for schema: Schema) throws {
        self.init(found, schema.entities)
        if version != schema.version {
            differences.append(
                "the document has version \(version) of the model, not \(schema.version)")
        }
        guard differences.isEmpty else { throw SnapshotError.differentModel(differences) }
    }

    private static func names(
        of entity: EntityDescription, in found: EntityDescription
    ) -> [String: String] {
        let stored = entity.properties.filter(\.isStored)
        let positions = NameMatch.positions(of: stored, in: found.properties)
        var names: [String: String] = [:]
        for (property, position) in zip(stored, positions) {
            names[property.name] = position.map { found.properties[$0].name }
        }
        return names
    }

    private mutating func compare(
        _ number: Int, _ entity: EntityDescription, _ old: EntityDescription,
        _ model: [EntityDescription]
    ) {
        if old.name != entity.name {
            differences.append("\(entity.name) is named \(old.name) in the document")
        }
        if old.superentity != entity.superentity {
            differences.append("\(entity.name) has another superentity in the document")
        }
        let known = Set(names[number].values)
        for property in old.properties
        where property.isStored && !known.contains(property.name) {
            differences.append("the model has no \(entity.name).\(property.name)")
        }
        for property in entity.properties where property.isStored {
            guard let name = names[number][property.name],
                let position = old.position(named: name)
            else {
                differences.append("the document has no \(entity.name).\(property.name)")
                continue
            }
            if !old.properties[position].isStored {
                differences.append("\(entity.name).\(property.name) is derived in the document")
            } else if stored(property, model) != old.properties[position].stored {
                differences.append(
                    "\(entity.name).\(property.name) has another type in the document")
            }
        }
    }

    /// What of a property of the model decides how its values are written, in the file's words.
    private func stored(
        _ property: PropertyDescription, _ model: [EntityDescription]
    ) -> [String] {
        guard case .relationship(var relationship) = property,
            let inverse = relationship.inverse,
            let destination = model.firstIndex(where: { $0.name == relationship.destination })
        else { return property.stored }
        relationship.inverse = names[destination][inverse] ?? inverse
        return PropertyDescription.relationship(relationship).stored
    }
}

extension PropertyDescription {
    /// Whether files have the values of the property: those that follow from others, and transient
    /// ones, are left out.
    var isStored: Bool { attribute?.isTransient != true && derivation == nil }

    /// What of a property decides how its values are written.
    fileprivate var stored: [String] {
        switch self {
        case .attribute(let attribute): [attribute.type.rawValue, "\(attribute.isOptional)"]
        case .relationship(let relationship):
            [relationship.destination, "\(relationship.isToMany)", relationship.inverse ?? ""]
        }
    }
}
