extension Schema {
    /// Lists an entity, its superentity, and so on up to the one that has none.
    public func lineage(of entity: EntityDescription) -> [EntityDescription] {
        number(named: entity.name).map { lineage(of: $0).map { entities[$0] } } ?? []
    }

    /// The same by number.
    func lineage(of number: Int) -> [Int] {
        Array(sequence(first: number) { superentity(of: $0) })
    }

    /// The number of an entity's superentity.
    func superentity(of number: Int) -> Int? {
        entities[number].superentity.flatMap(self.number(named:))
    }

    /// For each entity itself and all that inherit from it, each before those that inherit from itself.
    var families: [[Int]] {
        var heirs = entities.map { _ in [Int]() }
        for number in entities.indices {
            if let superentity = superentity(of: number) { heirs[superentity].append(number) }
        }
        func family(of number: Int) -> [Int] { [number] + heirs[number].flatMap(family) }
        return entities.indices.map(family)
    }
}

/// Finds what is wrong with the superentities of a schema.
struct InheritanceCheck {
    private let entities: [EntityDescription]
    /// The entities, whose names all differ, by these.
    private let known: [String: EntityDescription]

    init(entities: [EntityDescription]) {
        self.entities = entities
        known = Dictionary(uniqueKeysWithValues: entities.map { ($0.name, $0) })
    }

    /// Checks every entity.
    func run() throws(SchemaError) {
        let superentities = Set(entities.compactMap(\.superentity))
        for entity in entities {
            try checkProperties(of: entity, against: try self.superentities(of: entity))
            let isLeaf = !superentities.contains(entity.name)
            if entity.isAbstract, isLeaf { throw .abstractWithoutSubentity(entity.name) }
        }
    }

    /// The superentities of an entity, nearest first.
    private func superentities(
        of entity: EntityDescription
    ) throws(SchemaError) -> [EntityDescription] {
        var superentities: [EntityDescription] = []
        var current = entity
        while let name = current.superentity {
            guard let next = known[name] else {
                throw .unknownSuperentity(entity: current.name, superentity: name)
            }
            superentities.append(next)
            guard superentities.count < entities.count else {
                throw .inheritanceCycle(entity: entity.name)
            }
            current = next
        }
        return superentities
    }

    private func checkProperties(
        of entity: EntityDescription, against superentities: [EntityDescription]
    ) throws(SchemaError) {
        for property in entity.properties {
            if let other = superentities.first(where: {
                $0.position(named: property.name) != nil
            }) {
                throw .redeclaredProperty(
                    entity: entity.name, property: property.name, superentity: other.name)
            }
        }
    }
}
