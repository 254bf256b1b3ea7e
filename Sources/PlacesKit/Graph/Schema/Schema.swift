/// The entities of a graph and their relationships, checked when the schema is made.
public struct Schema: Sendable, Hashable {
    /// The entities, in the order of the model; an entity's position is its number.
    public let entities: [EntityDescription]
    /// The version of the model, from 1 on.
    public let version: Int
    /// The entities' numbers by their names.
    private let numbers: [String: Int]

    /// Makes a schema of entities whose inverses fit together.
    ///
    /// An inverse is named on one side at least; where nobody names one and exactly one relationship
    /// fits, it is inferred.
    ///
    /// In a stage of a migration two things may have had one name, one after the other; none gets an inverse
    /// because others are gone; and what cannot be derived any more is stored.
    ///
    /// - Throws: A `SchemaError` that names the entity and the property.
    package init(
        entities: [EntityDescription], version: Int = 1, isOfStage: Bool = false
    ) throws(SchemaError) {
        guard !entities.isEmpty else { throw .empty }
        self.version = version
        var names: Set<String> = []
        var identities: Set<String> = []
        for entity in entities {
            guard names.insert(entity.name).inserted else { throw .duplicateEntity(entity.name) }
            guard isOfStage || identities.insert(entity.identity).inserted else {
                throw .duplicateOriginalName(entity: entity.name, originalName: entity.identity)
            }
            var properties: Set<String> = []
            for property in entity.properties where !properties.insert(property.name).inserted {
                throw .duplicateProperty(entity: entity.name, property: property.name)
            }
            var identities: Set<String> = []
            for property in entity.properties
            where !isOfStage && !identities.insert(property.identity).inserted {
                throw .invalidProperty(
                    entity: entity.name, property: property.name,
                    problem: """
                        and another property were both named \(property.identity) in an earlier \
                        model. Give one of them another originalName.
                        """)
            }
        }
        try InheritanceCheck(entities: entities).run()
        var resolver = InverseResolver(entities: entities, infers: !isOfStage)
        let resolved = try resolver.resolve()
        self.entities = isOfStage ? resolved.withUnderivableStored : resolved
        numbers = Dictionary(uniqueKeysWithValues: zip(entities.map(\.name), entities.indices))
        try self.entities.checkConstraints()
        try self.entities.checkDerivations()
        try self.entities.checkUniqueness()
    }

    /// The entity of the given name.
    public func entity(named name: String) -> EntityDescription? {
        number(named: name).map { entities[$0] }
    }

    /// The number of the entity of the given name.
    func number(named name: String) -> Int? {
        numbers[name]
    }
}
