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
                case .known(0): name = try json.readString()
                case .known(2): uniqueConstraints = try readNames(from: &json)
                case .known(3): indexes = try readNames(from: &json)
                case .known(4): superentity = try json.readString()
                case .known(5): isAbstract = try json.readBool()
                case .known(6): originalName = try json.readString()
                case .known:
                    try json.beginArray()
                    while try json.nextElement() {
                        properties.append(try readProperty(from: &json))
                    }
                case .unknown: try json.skipValue()
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
            case .known(13): originalName = try json.readString()
            case .known(14): isExternal = try json.readBool()
            case .known(15):
                guard let type else {
                    throw json.failure(.invalidValue(expected: #"the key "type" before "rules""#))
                }
                try json.beginArray()
                while try json.nextElement() {
                    if let rule = try json.readRule(for: type) { rules.append(rule) }
                }
            case .known(16): minimumCount = try json.readInt64()
            case .known(17): maximumCount = try json.readInt64()
            case .known(18): isOrdered = try json.readBool()
            case .known(19): isSearchable = try json.readBool()
            case .known(20):
                guard let type else {
                    throw json.failure(.invalidValue(expected: #"the key "type" before "values""#))
                }
                values = try json.readValues(of: type)
            case .known, .unknown: try json.skipValue()
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
