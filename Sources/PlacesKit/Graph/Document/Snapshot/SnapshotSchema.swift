import PlacesBase

/// The schema in a file.
enum SnapshotSchema {
    /// The schema that a snapshot has at its top.
    static func schema(ofSnapshot bytes: [UInt8]) throws -> Schema {
        func top(_ file: inout (some SnapshotInput & ~Copyable)) throws -> SnapshotTop {
            try SnapshotTop(from: &file, needsVersion: false)
        }
        let found =
            switch SnapshotFormat(of: bytes) {
            case .json:
                try bytes.withUnsafeBytes { bytes in
                    var json = JSONReader(bytes)
                    return try top(&json)
                }
            case .binaryPropertyList:
                try BinaryPropertyListReader.read(bytes) { try top(&$0) }
            case .xmlPropertyList:
                try XMLPropertyListReader.read(bytes, toEnd: false) { try top(&$0) }
            }
        return try checked(found.entities, found.modelVersion)
    }

    /// The schema of entities that stand at the top of a file.
    static func checked(
        _ entities: [EntityDescription], _ version: Int
    ) throws -> Schema {
        guard !inheritTooMuch(entities) else {
            throw JSONError(
                kind: .invalidValue(expected: "entities that inherit less from each other"),
                line: 1, column: 1, byteOffset: 0)
        }
        do {
            return try Schema(entities: entities, version: version)
        } catch {
            throw JSONError(
                kind: .invalidValue(expected: "a schema that fits together: \(error)"), line: 1,
                column: 1, byteOffset: 0)
        }
    }
}

extension SnapshotSchema {
    /// How many entities one may inherit from, and how many properties all may have together with those that they inherit.
    ///
    /// What is inherited takes memory again in each heir: a small file could tell of more than any machine has room for.
    private static let (lineageLimit, propertyLimit) = (256, 1 << 18)

    private static func inheritTooMuch(_ entities: [EntityDescription]) -> Bool {
        let known = Dictionary(entities.map { ($0.name, $0) }) { first, _ in first }
        var count = 0
        for entity in entities {
            var (current, depth) = (Optional(entity), 0)
            while let next = current {
                (count, depth) = (count + next.properties.count, depth + 1)
                // Who inherits from itself is told by the schema.
                if depth > entities.count { return false }
                if count > propertyLimit || depth > lineageLimit { return true }
                current = next.superentity.flatMap { known[$0] }
            }
        }
        return false
    }
}

/// What a file says of an entity.
extension EntityDescription {
    private static let fields = FileFields<EntityDescription>([
        FileField("name", \.name),
        FileField("super", \.superentity),
        FileField("abstract", \.isAbstract),
        FileField("originalName", \.originalName),
        FileField("properties", \.writtenProperties),
        FileField("unique", \.uniqueConstraints),
        FileField("indexes", \.indexes),
        FileField("spatial", \.spatialIndexes),
        FileField("userInfo", \.userInfo.pairs),
    ])

    /// The properties, which are said even where there are none.
    private var writtenProperties: [PropertyDescription]? {
        get { properties }
        set { properties = newValue ?? [] }
    }

    /// Reads an entity, without its defaults and inverses checked.
    static func read(
        from file: inout (some SnapshotInput & ~Copyable)
    ) throws -> EntityDescription {
        var entity = EntityDescription(name: "", properties: [])
        try fields.read(into: &entity, from: &file)
        return entity
    }

    /// Writes an entity with the properties that it declares itself.
    func write(to file: inout some SnapshotOutput) { Self.fields.write(self, to: &file) }
}

extension PropertyDescription {
    static func read(
        from file: inout (some SnapshotInput & ~Copyable)
    ) throws -> PropertyDescription {
        var property = SnapshotProperty()
        try SnapshotProperty.fields.read(into: &property, from: &file)
        guard let description = property.description else {
            throw file.expected(#"a property with the key "type" or the key "to""#)
        }
        return description
    }

    func write(to file: inout some SnapshotOutput) {
        SnapshotProperty.fields.write(SnapshotProperty(self), to: &file)
    }
}

extension AttributeType {
    static let wordDescription = "the name of an attribute type"
}

extension DeleteRule {
    static let wordDescription = "the name of a delete rule"
}

extension DerivationDescription.Function {
    static let wordDescription = "the name of a derivation"
}

/// What a file says of a property, of which only the keys tell whether it is an attribute or a relationship.
private struct SnapshotProperty {
    var name = ""
    var originalName: String?
    /// The type of an attribute.
    var type: AttributeType?
    /// What else is known of an attribute.
    var attribute = AttributeDescription(name: "", type: .boolean)
    var derivation: DerivationDescription.Function?
    var derivedRelationship: String?
    var derivedProperty: String?
    var derivedCondition: String?
    /// The destination of a relationship.
    var destination: String?
    var deleteRule: DeleteRule?
    /// What else is known of a relationship.
    var relationship = RelationshipDescription(name: "", destination: "")

    static let fields = FileFields<SnapshotProperty>([
        FileField("name", \.name),
        FileField("type", \.type),
        FileField("optional", \.attribute.isOptional),
        FileField("unique", \.attribute.isUnique),
        FileField("indexed", \.attribute.isIndexed),
        FileField("searchable", \.attribute.isSearchable),
        FileField("derived", \.derivation),
        FileField("over", \.derivedRelationship),
        FileField("of", \.derivedProperty),
        FileField("where", \.derivedCondition),
        FileField("external", \.attribute.usesExternalStorage),
        FileField("userInfo", \.attribute.userInfo.pairs),
        FileField(typed: "rules", \.rules),
        FileField(typed: "values", \.attribute.allowedValues),
        FileField("to", \.destination),
        FileField("many", \.relationship.isToMany),
        FileField("ordered", \.relationship.isOrdered),
        FileField("inverse", \.relationship.inverse),
        FileField("onDelete", \.deleteRule),
        FileField("minCount", \.relationship.minimumCount),
        FileField("maxCount", \.relationship.maximumCount),
        FileField("originalName", \.originalName),
    ])

    private var rules: [ValidationRule]? {
        get { attribute.rules.isEmpty ? nil : attribute.rules }
        set { attribute.rules = newValue ?? [] }
    }

    init() {}

    init(_ property: PropertyDescription) {
        (name, originalName) = (property.name, property.originalName)
        switch property {
        case .attribute(let attribute):
            self.attribute = attribute
            type = attribute.type
            derivation = attribute.derivation?.function
            derivedRelationship = attribute.derivation?.relationship
            derivedProperty = attribute.derivation?.property
            derivedCondition = attribute.derivation?.condition
        case .relationship(let relationship):
            self.relationship = relationship
            (destination, deleteRule) = (relationship.destination, relationship.deleteRule)
        }
    }

    var description: PropertyDescription? {
        if let type {
            // What the attribute starts as follows from these.
            var result = AttributeDescription(
                name: name, type: type, isOptional: attribute.isOptional,
                isUnique: attribute.isUnique, allowedValues: attribute.allowedValues,
                isIndexed: attribute.isIndexed,
                derivation: derivation.map {
                    DerivationDescription(
                        $0, of: derivedRelationship ?? "", property: derivedProperty,
                        where: derivedCondition)
                })
            result.isSearchable = attribute.isSearchable
            result.originalName = originalName
            result.usesExternalStorage = attribute.usesExternalStorage
            (result.rules, result.userInfo) = (attribute.rules, attribute.userInfo)
            return .attribute(result)
        }
        guard let destination else { return nil }
        var result = relationship
        (result.name, result.originalName) = (name, originalName)
        result.destination = destination
        result.deleteRule = deleteRule ?? .nullify
        return .relationship(result)
    }
}

extension [String: String] {
    /// The keys in their order, each with its value.
    fileprivate var pairs: [[String]] {
        get { sorted { $0.key < $1.key }.map { [$0.key, $0.value] } }
        set {
            let pairs = newValue.lazy.filter { $0.count == 2 }.map { ($0[0], $0[1]) }
            self = Dictionary(pairs) { _, last in last }
        }
    }
}

extension FileField<SnapshotProperty> {
    /// A list of what the type of an attribute gives its meaning.
    fileprivate init<Element: TypedFileValue>(
        typed key: String, _ path: any WritableKeyPath<SnapshotProperty, [Element]?> & Sendable
    ) {
        self.init(key: key, access: TypedAccess(key: key, path: path))
    }
}

private struct TypedAccess<Element: TypedFileValue>: FieldAccess {
    let key: String
    let path: any WritableKeyPath<SnapshotProperty, [Element]?> & Sendable

    func isBlank(in property: SnapshotProperty) -> Bool { property[keyPath: path] == nil }

    func read(
        into property: inout SnapshotProperty, from file: inout (some SnapshotInput & ~Copyable)
    ) throws {
        guard let type = property.type else {
            throw file.expected(#"the key "type" before "\#(key)""#)
        }
        property[keyPath: path] = try file.readList { try Element.read(of: type, from: &$0) }
            .compactMap { $0 }
    }

    func write(_ property: SnapshotProperty, to file: inout some SnapshotOutput) {
        file.beginArray()
        for element in property[keyPath: path] ?? [] { element.write(to: &file) }
        file.endArray()
    }
}
