/// Which property of a file is which of a model.
///
/// A property is the same under a new name where the earlier name of one is the name of the other;
/// otherwise, where both have one name.
struct SnapshotMatch {
    /// The name that each property of the model has in the file, by entity.
    private(set) var names: [[String: String]]
    /// What the file has and the model has not, and the reverse, a sentence each.
    ///
    /// Rules that concern only changes to come, such as uniqueness and delete rules, may differ, and so
    /// may indexes and derived attributes, of which no values are written.
    private(set) var differences: [String] = []

    init(_ found: [EntityDescription], _ model: [EntityDescription]) {
        names = model.map { entity in
            found.first { $0.name == entity.name }.map { Self.names(of: entity, in: $0) } ?? [:]
        }
        for entity in found where !model.contains(where: { $0.name == entity.name }) {
            differences.append("the model has no \(entity.name)")
        }
        for (number, entity) in model.enumerated() {
            if let old = found.first(where: { $0.name == entity.name }) {
                compare(number, entity, old, model)
            } else {
                differences.append("the document has no \(entity.name)")
            }
        }
    }

    private static func names(
        of entity: EntityDescription, in found: EntityDescription
    ) -> [String: String] {
        let stored = entity.properties.filter(\.isStored)
        var names: [String: String] = [:]
        var remaining = found.properties
        for name in [\PropertyDescription.identity, \.name] {
            for property in stored where names[property.name] == nil {
                let sought = property[keyPath: name]
                guard let position = remaining.firstIndex(where: { $0[keyPath: name] == sought })
                else { continue }
                names[property.name] = remaining.remove(at: position).name
            }
        }
        return names
    }

    private mutating func compare(
        _ number: Int, _ entity: EntityDescription, _ old: EntityDescription,
        _ model: [EntityDescription]
    ) {
        let known = Set(names[number].values)
        for property in old.properties
        where property.isStored && !known.contains(property.name) {
            differences.append("the model has no \(entity.name).\(property.name)")
        }
        for property in entity.properties where property.isStored {
            guard let name = names[number][property.name], let slot = old.slot(named: name) else {
                differences.append("the document has no \(entity.name).\(property.name)")
                continue
            }
            if stored(property, model) != old.properties[slot].stored {
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
    var isStored: Bool { attribute?.isTransient != true && attribute?.derivation == nil }

    /// What of a property decides how its values are written.
    fileprivate var stored: [String] {
        switch self {
        case .attribute(let attribute): [attribute.type.rawValue, "\(attribute.isOptional)"]
        case .relationship(let relationship):
            [relationship.destination, "\(relationship.isToMany)", relationship.inverse ?? ""]
        }
    }
}
