extension [EntityDescription] {
    /// Checks that every derived attribute can be kept, and that none follows from itself.
    func checkDerivations() throws(SchemaError) {
        for entity in self {
            for property in entity.properties where property.derivation != nil {
                try checkDerivation(of: property, in: entity)
            }
        }
        for entity in self {
            for property in entity.properties where property.derivation != nil {
                try checkIsAcyclic(property, in: entity)
            }
        }
    }

    /// The property of a name that an entity declares or inherits.
    func property(_ name: String, of entity: EntityDescription) -> PropertyDescription? {
        declaration(of: name, in: entity)?.property
    }

    /// The same, with the entity that declares it.
    func declaration(
        of name: String, in entity: EntityDescription
    ) -> (property: PropertyDescription, entity: EntityDescription)? {
        var candidate: EntityDescription? = entity
        // While a stage edits them, entities may inherit in a circle.
        for _ in indices {
            guard let current = candidate else { return nil }
            if let position = current.position(named: name) {
                return (current.properties[position], current)
            }
            candidate = first { $0.name == current.superentity }
        }
        return nil
    }

    /// The entity whose objects a derivation reads.
    func members(
        of derivation: DerivationDescription, in entity: EntityDescription
    ) -> EntityDescription? {
        var current = entity
        for name in derivation.path {
            guard let relationship = property(name, of: current)?.relationship,
                relationship.isToMany == (derivation.function != .value),
                let next = first(where: { $0.name == relationship.destination })
            else { return nil }
            current = next
        }
        return current
    }

    /// The same, with what cannot be derived, for something is not there or has another type, stored.
    var withUnderivableStored: [EntityDescription] {
        var entities = self
        for (number, entity) in enumerated() {
            for (position, property) in entity.properties.enumerated()
            where (try? checkDerivation(of: property, in: entity)) == nil {
                entities[number].properties[position] = property.withoutDerivation
            }
        }
        return entities
    }

    private func checkDerivation(
        of derived: PropertyDescription, in entity: EntityDescription
    ) throws(SchemaError) {
        guard let derivation = derived.derivation else { return }
        guard let members = members(of: derivation, in: entity) else {
            throw derivation.function == .value
                ? .derivedAlongNothing(
                    entity: entity.name, attribute: derived.name, path: derivation.relationship)
                : .derivedOverNothing(
                    entity: entity.name, attribute: derived.name,
                    relationship: derivation.relationship)
        }
        func fail(_ name: String?) -> SchemaError {
            derivation.function == .computed
                ? .unmakeable(
                    entity: entity.name, attribute: derived.name, source: name ?? "nothing")
                : .underivable(
                    entity: entity.name, attribute: derived.name,
                    property: "\(members.name).\(name ?? "nothing")")
        }
        for name in derivation.properties where property(name, of: members) == nil {
            throw fail(name)
        }
        for name in derivation.sources {
            guard let source = property(name, of: members)?.attribute, !source.usesExternalStorage
            else { throw fail(name) }
        }
        if let condition = derivation.condition {
            guard let truth = property(condition, of: members)?.attribute, truth.type == .boolean,
                !truth.isOptional
            else { throw fail(condition) }
        }
        let value = derivation.property.flatMap { property($0, of: members) }
        let canHold =
            derived.attribute?.canHold(derivation.function, of: value)
            ?? value?.attribute.map { ![.data, .json].contains($0.type) } ?? false
        guard canHold else {
            throw fail(derivation.property)
        }
    }

    private func checkIsAcyclic(
        _ derived: PropertyDescription, in entity: EntityDescription
    ) throws(SchemaError) {
        let sources = sources(of: derived, in: entity)
        if sources.contains(where: {
            $0.property.name == derived.name && $0.entity.name == entity.name
        }) {
            throw .derivedFromItself(entity: entity.name, attribute: derived.name)
        }
    }

    /// What a derived property of an entity is made of, and what that is made of, as far as it is derived itself.
    func sources(
        of derived: PropertyDescription, in entity: EntityDescription
    ) -> [(property: PropertyDescription, entity: EntityDescription)] {
        var sources: [(property: PropertyDescription, entity: EntityDescription)] = []
        var pending = [(derived, entity)]
        var seen: Set<[String]> = []
        while let (current, owner) = pending.popLast() {
            guard let derivation = current.derivation,
                let members = members(of: derivation, in: owner)
            else { continue }
            var reader = owner
            let links = derivation.path.map { name in
                let link = declaration(of: name, in: reader)
                let destination = link?.property.relationship?.destination
                reader = first { $0.name == destination } ?? reader
                return link
            }
            let values = derivation.properties.map { declaration(of: $0, in: members) }
            for case let (next, declarer)? in links + values
            where seen.insert([declarer.name, next.name]).inserted {
                sources.append((next, declarer))
                pending.append((next, declarer))
            }
        }
        return sources
    }
}

extension PropertyDescription {
    /// The same as one that follows from nothing.
    fileprivate var withoutDerivation: PropertyDescription {
        var property = self
        property.derivation = nil
        guard case .attribute(var attribute) = property else { return property }
        // What it starts as followed from no members.
        attribute.defaultValue = attribute.isOptional ? .null : nil
        return .attribute(attribute)
    }
}

extension AttributeDescription {
    /// Whether the attribute's type is that of what a function makes of a property.
    fileprivate func canHold(
        _ function: DerivationDescription.Function, of property: PropertyDescription?
    ) -> Bool {
        switch function {
        case .count: return property == nil && type == .int64
        case .any: return property == nil && type == .boolean
        case .countDistinct:
            guard let property else { return false }
            return type == .int64 && property.relationship?.isToMany != true
                && property.attribute?.usesExternalStorage != true
        case .sum:
            guard let source = property?.attribute else { return false }
            if source.type.integerRange != nil || source.type == .uint64 {
                return type == .int64 && !isOptional
            }
            return [.float, .double].contains(source.type) && type == .double && !isOptional
        case .minimum, .maximum:
            guard let source = property?.attribute else { return false }
            return type == source.type && isOptional && ![.data, .json].contains(type)
        case .value:
            guard let source = property?.attribute else { return false }
            return type == source.type && isOptional && type != .json && !source.usesExternalStorage
        case .computed: return true
        }
    }
}
