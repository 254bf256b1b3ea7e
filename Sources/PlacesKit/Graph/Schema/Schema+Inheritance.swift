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

    /// An entity and all that inherit from it, each before those that inherit from itself.
    func family(of number: Int) -> [Int] {
        [number]
            + entities.indices.filter { superentity(of: $0) == number }.flatMap { family(of: $0) }
    }
}

/// Finds what is wrong with the superentities of a schema.
struct InheritanceCheck {
    let entities: [EntityDescription]

    /// Checks every entity.
    func run() throws(SchemaError) {
        for entity in entities {
            try checkProperties(of: entity, against: try superentities(of: entity))
            let isLeaf = !entities.contains { $0.superentity == entity.name }
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
            guard let next = entities.first(where: { $0.name == name }) else {
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
