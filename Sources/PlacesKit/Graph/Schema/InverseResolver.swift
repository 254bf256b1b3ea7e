/// Pairs every relationship with its inverse.
struct InverseResolver {
    /// One relationship, by the numbers of the entity that declares it and of its property there.
    private struct End: Hashable {
        var entity: Int
        var position: Int
    }

    private let entities: [EntityDescription]
    /// Whether a relationship for which nobody names an inverse gets the only one that fits.
    private let infers: Bool
    private let ends: [End]
    private var inverses: [End: End] = [:]

    init(entities: [EntityDescription], infers: Bool) {
        self.entities = entities
        self.infers = infers
        ends = entities.indices.flatMap { entity in
            entities[entity].properties.indices
                .filter {
                    let relationship = entities[entity].properties[$0].relationship
                    return relationship != nil && relationship?.derivation == nil
                }
                .map { End(entity: entity, position: $0) }
        }
    }

    /// The entities with every inverse filled in on both sides.
    mutating func resolve() throws(SchemaError) -> [EntityDescription] {
        for end in ends { try pairWithNamedInverse(end) }
        for end in ends where inverses[end] == nil { try pairWithOnlyCandidate(end) }
        return entities.indices.map { entity in
            var resolved = entities[entity]
            resolved.properties = entities[entity].properties.indices.map { position in
                let property = entities[entity].properties[position]
                guard case .relationship(var relationship) = property else { return property }
                relationship.inverse = inverses[End(entity: entity, position: position)].map(name)
                return .relationship(relationship)
            }
            return resolved
        }
    }

    private func name(_ end: End) -> String { entities[end.entity].properties[end.position].name }

    private func fullName(_ end: End) -> String { "\(entities[end.entity].name).\(name(end))" }

    private func destination(
        of relationship: RelationshipDescription, at end: End
    ) throws(SchemaError) -> Int {
        guard
            let number = entities.firstIndex(where: { $0.name == relationship.destination })
        else {
            throw .unknownDestination(
                entity: entities[end.entity].name, relationship: relationship.name,
                destination: relationship.destination)
        }
        return number
    }

    /// The relationship of a name that an entity declares or inherits.
    private func end(named name: String, in number: Int) -> End? {
        var entity: Int? = number
        while let current = entity {
            if let position = entities[current].position(named: name) {
                return End(entity: current, position: position)
            }
            entity = entities.firstIndex { $0.name == entities[current].superentity }
        }
        return nil
    }

    private mutating func pairWithNamedInverse(_ end: End) throws(SchemaError) {
        guard let relationship = entities[end.entity].properties[end.position].relationship else {
            return
        }
        let other = try destination(of: relationship, at: end)
        guard let inverse = relationship.inverse else { return }
        guard let mirrored = self.end(named: inverse, in: other),
            let mirror = entities[mirrored.entity].properties[mirrored.position].relationship
        else {
            throw .unknownInverse(
                entity: entities[end.entity].name, relationship: relationship.name,
                inverse: "\(relationship.destination).\(inverse)")
        }
        guard mirrored != end else {
            throw .selfInverse(
                entity: entities[end.entity].name, relationship: relationship.name)
        }
        // A relationship that the destination inherits leads here from its other heirs too.
        guard mirrored.entity == other, mirror.destination == entities[end.entity].name,
            mirror.inverse == nil || mirror.inverse == relationship.name,
            inverses[end] == nil || inverses[end] == mirrored,
            inverses[mirrored] == nil || inverses[mirrored] == end
        else {
            throw .mismatchedInverse(
                entity: entities[end.entity].name, relationship: relationship.name,
                inverse: fullName(mirrored))
        }
        inverses[end] = mirrored
        inverses[mirrored] = end
    }

    /// Pairs a relationship with the only one that fits.
    ///
    /// Of an entity with itself only one object and many make a pair, as parent and children do: a
    /// mother and a father, or friends and rivals, are no inverses.
    private mutating func pairWithOnlyCandidate(_ end: End) throws(SchemaError) {
        guard let relationship = entities[end.entity].properties[end.position].relationship else {
            return
        }
        let candidates = ends.filter { candidate in
            guard candidate != end, inverses[candidate] == nil,
                let mirror = entities[candidate.entity].properties[candidate.position].relationship
            else { return false }
            return entities[candidate.entity].name == relationship.destination
                && mirror.destination == entities[end.entity].name
        }
        if infers, let candidate = candidates.first, candidates.count == 1,
            isOnlyCandidate(end, of: candidate), arePair(end, candidate)
        {
            inverses[end] = candidate
            inverses[candidate] = end
        } else if relationship.isToMany {
            throw .missingInverse(
                entity: entities[end.entity].name, relationship: relationship.name,
                candidates: candidates.map(fullName))
        }
    }

    private func arePair(_ end: End, _ candidate: End) -> Bool {
        let (own, other) = (
            entities[end.entity].properties[end.position].relationship,
            entities[candidate.entity].properties[candidate.position].relationship
        )
        return end.entity != candidate.entity || own?.isToMany != other?.isToMany
    }

    /// Whether no relationship besides `end` could claim `candidate` as its inverse.
    private func isOnlyCandidate(_ end: End, of candidate: End) -> Bool {
        let target = entities[candidate.entity].properties[candidate.position].relationship?
            .destination
        return !ends.contains { rival in
            rival != end && rival != candidate && inverses[rival] == nil
                && entities[rival.entity].name == target
                && entities[rival.entity].properties[rival.position].relationship?.destination
                    == entities[candidate.entity].name
        }
    }
}
