/// The classes of a model and the schema read from them.
package struct ObjectModel: KeyPathResolver, Sendable {
    /// The schema: entities in the order of the classes.
    package let schema: Schema
    let layout: GraphLayout
    let classes: [ObjectClass]
    /// Whether there may be subclasses that are not among the classes.
    let isPartial: Bool
    /// The optional composite attributes of each class.
    private(set) var optionalComposites: [[OptionalComposite]] = []
    /// Optional composite attributes with a part that each value has: less than the required parts are no value.
    private(set) var indivisibleParts = IndivisibleParts()
    private let numbers: [ObjectIdentifier: Int]

    /// Reads the schema of some classes from their property wrappers.
    ///
    /// - Parameters:
    ///   - types: The classes.
    ///   - version: Which version of the model they are.
    ///   - isPartial: Whether subclasses may be missing, and so all that an abstract class has.
    /// - Throws: A `SchemaError` that names the class and the property.
    package init(
        _ types: [ManagedObject.Type], version: Int = 1, isPartial: Bool = false
    ) throws(SchemaError) {
        self.isPartial = isPartial
        classes = try Prototypes.classes(types)
        schema = try Schema(
            entities: classes.map {
                var entity = EntityDescription(
                    name: $0.type.entityName, properties: $0.properties,
                    superentity: $0.superclass?.entityName,
                    isAbstract: $0.type.isAbstract && !isPartial,
                    indexes: $0.constraints.filter {
                        $0.kind == .index || $0.kind == .partialIndex
                    }.map(\.names))
                entity.partialIndexes = Set(
                    $0.constraints.filter { $0.kind == .partialIndex }.map(\.names))
                for case (.unique(let policy), let names) in $0.constraints.map({
                    ($0.kind, $0.names)
                }) {
                    entity.uniqueConstraints.append(names)
                    entity.clashPolicies[names] = policy
                }
                entity.spatialIndexes = $0.constraints.filter { $0.kind == .spatialIndex }
                    .map(\.names)
                let originalName = $0.type.originalName
                if originalName != $0.superclass?.originalName {
                    entity.originalName = originalName
                }
                if $0.type.userInfo != $0.superclass?.userInfo {
                    entity.userInfo = $0.type.userInfo
                }
                return entity
            }, version: version)
        layout = GraphLayout(schema: schema)
        numbers = Dictionary(
            uniqueKeysWithValues: classes.enumerated().map { (ObjectIdentifier($1.type), $0) })
        optionalComposites = classes.indices.map { OptionalComposite.all(of: $0, in: self) }
        for (entity, composites) in zip(layout.entities, optionalComposites) {
            for composite in composites where !composite.required.isEmpty {
                indivisibleParts[entity.table, default: []].insert(composite.slots)
            }
        }
    }

    /// The number of a class's entity.
    func number(of type: Any.Type) -> Int? { numbers[ObjectIdentifier(type)] }

    /// What a key path means in the tables of the model, or `nil` when it is not a chain of managed
    /// properties of one of its classes.
    func resolve(_ keyPath: AnyKeyPath) -> ResolvedKeyPath? {
        guard let meaning = Prototypes.resolve(keyPath),
            let root = number(of: Swift.type(of: keyPath).rootType)
        else { return nil }
        switch meaning {
        case .property(let path): return .property(slots(of: path, from: root))
        case .count(let path): return .count(slots(of: path, from: root))
        case .identity(let path): return .identity(slots(of: path, from: root))
        case .composite(let path, let parts, let isOptional):
            return .composite(slots(of: path, from: root), parts: parts, isOptional: isOptional)
        }
    }

    /// The slot of the attribute of a `Codable` type that a key path seems to mean.
    func codableSlot(of keyPath: AnyKeyPath) -> Slot? {
        guard let position = Prototypes.codableAttribute(keyPath),
            let root = number(of: Swift.type(of: keyPath).rootType)
        else { return nil }
        return layout.entities[root].slots[position]
    }

    /// The slots of a chain of properties, each given by its position in its class.
    private func slots(of path: [Slot], from entity: Int) -> [Slot] {
        var entity = entity
        return path.map { position in
            let (table, slot) = (
                layout.entities[entity].table, layout.entities[entity].slots[position]
            )
            let property = layout.tables[table].properties[slot]
            entity =
                property.relationship.flatMap { schema.number(named: $0.destination) } ?? entity
            return slot
        }
    }
}

/// A class of a model and its properties.
struct ObjectClass: Sendable {
    let type: ManagedObject.Type
    /// The nearest superclass that is part of the model.
    let superclass: ManagedObject.Type?
    /// The properties that the superclass does not have.
    let properties: [PropertyDescription]
    /// The constraints that the superclass does not have.
    let constraints: [NamedConstraint]
    /// What checks the values of attributes whose columns may hold what is no value, by slot.
    let checks: [Int: ValueCheck]
    /// What makes the defaults of new objects, by slot.
    let defaults: [Int: AttributeDefault]
    /// The composite attributes, those of superclasses among them.
    let composites: [String: DeclaredComposite]
    /// Whether objects of the class have no stored properties but the managed ones.
    let isPlain: Bool
}

extension ObjectModel {
    /// What checks the values of attributes whose columns may hold what is no value, by entity and the
    /// property's position in it.
    var checks: [[Int: ValueCheck]] { classes.map(\.checks) }

    /// What makes the defaults of new objects, by entity and the property's position in it.
    var defaults: [[Int: AttributeDefault]] { classes.map(\.defaults) }
}
