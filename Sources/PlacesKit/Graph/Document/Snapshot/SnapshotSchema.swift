import PlacesBase
extension SnapshotInput where Self: ~Copyable {
    /// Reads which version of the model a file was written with.
    mutating func readModelVersion() throws -> Int {
        let version = try readInt64()
        guard (1...Int64(Int32.max)).contains(version) else {
            throw failure(.invalidValue(expected: "the number of a version from 1 on"))
        }
        return Int(version)
    }
}

/// The schema in a snapshot file.
enum SnapshotSchema {
    /// Reads the entities, without their defaults and inverses checked.
    static func read(
        from json: inout (some SnapshotInput & ~Copyable)
    ) throws -> [EntityDescription] {
        var entities: [EntityDescription] = []
        try json.beginArray()
        while try json.nextElement() {
            var name = ""
            var superentity: String?
            var isAbstract = false
            var originalName: String?
            var properties: [PropertyDescription] = []
            var (uniqueConstraints, indexes): ([[String]], [[String]]) = ([], [])
            try json.beginObject()
            while let key = try json.nextKey(in: SnapshotKeys.entity) {
                switch key {
                case .name: name = try json.readString()
                case .uniqueConstraints: uniqueConstraints = try readNames(from: &json)
                case .indexes: indexes = try readNames(from: &json)
                case .superentity: superentity = try json.readString()
                case .isAbstract: isAbstract = try json.readBool()
                case .originalName: originalName = try json.readString()
                case .properties:
                    try json.beginArray()
                    while try json.nextElement() {
                        properties.append(try readProperty(from: &json))
                    }
                }
            }
            var entity = EntityDescription(
                name: name, properties: properties, superentity: superentity,
                isAbstract: isAbstract, uniqueConstraints: uniqueConstraints, indexes: indexes)
            entity.originalName = originalName
            entities.append(entity)
        }
        return entities
    }

    private static func readNames(
        from json: inout (some SnapshotInput & ~Copyable)
    ) throws -> [[String]] {
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

    private static func readProperty(
        from json: inout (some SnapshotInput & ~Copyable)
    ) throws -> PropertyDescription {
        var name = ""
        var type: AttributeType?
        var (isOptional, isUnique, isToMany) = (false, false, false)
        var destination: String?
        var inverse: String?
        var deleteRule = DeleteRule.nullify
        var (isIndexed, isSearchable) = (false, false)
        var derivation: DerivationDescription?
        var (over, of, condition): (String, String?, String?) = ("", nil, nil)
        var originalName: String?
        var (isExternal, isOrdered) = (false, false)
        var rules: [ValidationRule] = []
        var values: [Datum]?
        var (minimumCount, maximumCount) = (Int64(0), Int64?.none)
        try json.beginOrderedObject()
        while let key = try json.nextKey(in: SnapshotKeys.property) {
            switch key {
            case .name: name = try json.readString()
            case .type:
                type = try json.readString(as: "the name of an attribute type") {
                    AttributeType(rawValue: String(decoding: $0, as: UTF8.self))
                }
            case .isOptional: isOptional = try json.readBool()
            case .isUnique: isUnique = try json.readBool()
            case .destination: destination = try json.readString()
            case .isToMany: isToMany = try json.readBool()
            case .inverse: inverse = try json.readString()
            case .deleteRule:
                deleteRule = try json.readString(as: "the name of a delete rule") {
                    DeleteRule(rawValue: String(decoding: $0, as: UTF8.self))
                }
            case .isIndexed: isIndexed = try json.readBool()
            case .derivation:
                derivation = try json.readString(as: "the name of a derivation") {
                    DerivationDescription.Function(rawValue: String(decoding: $0, as: UTF8.self))
                        .map { DerivationDescription($0, of: "") }
                }
            case .derivedRelationship: over = try json.readString()
            case .derivedProperty: of = try json.readString()
            case .derivedCondition: condition = try json.readString()
            case .originalName: originalName = try json.readString()
            case .isExternal: isExternal = try json.readBool()
            case .rules:
                guard let type else {
                    throw json.failure(.invalidValue(expected: #"the key "type" before "rules""#))
                }
                try json.beginArray()
                while try json.nextElement() {
                    if let rule = try json.readRule(for: type) { rules.append(rule) }
                }
            case .minimumCount: minimumCount = try json.readInt64()
            case .maximumCount: maximumCount = try json.readInt64()
            case .isOrdered: isOrdered = try json.readBool()
            case .isSearchable: isSearchable = try json.readBool()
            case .values:
                guard let type else {
                    throw json.failure(.invalidValue(expected: #"the key "type" before "values""#))
                }
                values = try json.readValues(of: type)
            }
        }
        if let type {
            derivation?.relationship = over
            derivation?.property = of
            derivation?.condition = condition
            var attribute = AttributeDescription(
                name: name, type: type, isOptional: isOptional, isUnique: isUnique,
                isIndexed: isIndexed, derivation: derivation)
            attribute.isSearchable = isSearchable
            attribute.originalName = originalName
            attribute.usesExternalStorage = isExternal
            attribute.rules = rules
            attribute.allowedValues = values
            return .attribute(attribute)
        }
        guard let destination else {
            throw json.failure(
                .invalidValue(expected: #"a property with the key "type" or the key "to""#))
        }
        var relationship = RelationshipDescription(
            name: name, destination: destination, inverse: inverse, isToMany: isToMany,
            deleteRule: deleteRule)
        relationship.isOrdered = isOrdered
        relationship.originalName = originalName
        relationship.minimumCount = Int(clamping: minimumCount)
        relationship.maximumCount = maximumCount.map { Int(clamping: $0) }
        return .relationship(relationship)
    }
}
