/// The schema in a snapshot file.
enum SnapshotSchema {
    /// Reads the entities, without their defaults and inverses checked.
    static func read(from json: inout JSONReader) throws -> [EntityDescription] {
        var entities: [EntityDescription] = []
        try json.beginArray()
        while try json.nextElement() {
            var name = ""
            var properties: [PropertyDescription] = []
            var (uniqueConstraints, indexes): ([[String]], [[String]]) = ([], [])
            try json.beginObject()
            while let key = try json.nextKey(in: SnapshotKeys.entity) {
                switch key {
                case .known(0): name = try json.readString()
                case .known(2): uniqueConstraints = try readNames(from: &json)
                case .known(3): indexes = try readNames(from: &json)
                case .known:
                    try json.beginArray()
                    while try json.nextElement() {
                        properties.append(try readProperty(from: &json))
                    }
                case .unknown: try json.skipValue()
                }
            }
            entities.append(
                EntityDescription(
                    name: name, properties: properties, uniqueConstraints: uniqueConstraints,
                    indexes: indexes))
        }
        return entities
    }

    private static func readNames(from json: inout JSONReader) throws -> [[String]] {
        var lists: [[String]] = []
        try json.beginArray()
        while try json.nextElement() {
            var names: [String] = []
            try json.beginArray()
            while try json.nextElement() { names.append(try json.readString()) }
            lists.append(names)
        }
        return lists
    }

    private static func readProperty(from json: inout JSONReader) throws -> PropertyDescription {
        var name = ""
        var type: AttributeType?
        var (isOptional, isUnique, isToMany) = (false, false, false)
        var destination: String?
        var inverse: String?
        var deleteRule = DeleteRule.nullify
        var isIndexed = false
        var derivation: DerivationDescription?
        var (over, of, condition): (String, String?, String?) = ("", nil, nil)
        try json.beginObject()
        while let key = try json.nextKey(in: SnapshotKeys.property) {
            switch key {
            case .known(0): name = try json.readString()
            case .known(1):
                type = try json.readString(as: "the name of an attribute type") {
                    AttributeType(rawValue: String(decoding: $0, as: UTF8.self))
                }
            case .known(2): isOptional = try json.readBool()
            case .known(3): isUnique = try json.readBool()
            case .known(4): destination = try json.readString()
            case .known(5): isToMany = try json.readBool()
            case .known(6): inverse = try json.readString()
            case .known(7):
                deleteRule = try json.readString(as: "the name of a delete rule") {
                    DeleteRule(rawValue: String(decoding: $0, as: UTF8.self))
                }
            case .known(8): isIndexed = try json.readBool()
            case .known(9):
                derivation = try json.readString(as: "the name of a derivation") {
                    DerivationDescription.Function(rawValue: String(decoding: $0, as: UTF8.self))
                        .map { DerivationDescription($0, of: "") }
                }
            case .known(10): over = try json.readString()
            case .known(11): of = try json.readString()
            case .known(12): condition = try json.readString()
            case .known, .unknown: try json.skipValue()
            }
        }
        if let type {
            derivation?.relationship = over
            derivation?.property = of
            derivation?.condition = condition
            return .attribute(
                AttributeDescription(
                    name: name, type: type, isOptional: isOptional, isUnique: isUnique,
                    isIndexed: isIndexed, derivation: derivation))
        }
        guard let destination else {
            throw json.failure(
                .invalidValue(expected: #"a property with the key "type" or the key "to""#))
        }
        return .relationship(
            RelationshipDescription(
                name: name, destination: destination, inverse: inverse, isToMany: isToMany,
                deleteRule: deleteRule))
    }

    /// What a file's entities have that a model's have not, and the reverse, a sentence each.
    ///
    /// Rules that concern only changes to come, such as uniqueness and delete rules, may differ, and
    /// so may indexes and derived attributes, of which no values are written.
    static func differences(
        from found: [EntityDescription], to model: [EntityDescription]
    ) -> [String] {
        var differences: [String] = []
        for entity in found where !model.contains(where: { $0.name == entity.name }) {
            differences.append("the model has no \(entity.name)")
        }
        for entity in model {
            guard let old = found.first(where: { $0.name == entity.name }) else {
                differences.append("the document has no \(entity.name)")
                continue
            }
            for property in old.properties
            where !property.isDerived && entity.slot(named: property.name) == nil {
                differences.append("the model has no \(entity.name).\(property.name)")
            }
            for property in entity.properties where !property.isDerived {
                guard let slot = old.slot(named: property.name) else {
                    differences.append("the document has no \(entity.name).\(property.name)")
                    continue
                }
                if property.stored != old.properties[slot].stored {
                    differences.append(
                        "\(entity.name).\(property.name) has another type in the document")
                }
            }
        }
        return differences
    }
}

extension PropertyDescription {
    /// Whether the property is an attribute whose values follow and are not written.
    fileprivate var isDerived: Bool { attribute?.derivation != nil }

    /// What of a property decides how its values are written.
    fileprivate var stored: [String] {
        switch self {
        case .attribute(let attribute): [attribute.type.rawValue, "\(attribute.isOptional)"]
        case .relationship(let relationship):
            [relationship.destination, "\(relationship.isToMany)", relationship.inverse ?? ""]
        }
    }
}
