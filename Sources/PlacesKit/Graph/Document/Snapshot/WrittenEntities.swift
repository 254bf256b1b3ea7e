extension [EntityDescription] {
    /// What stands of a schema in files: without transient attributes, what only a class knows how to make, objects that
    /// follow, and what is derived from these, ordered by them or unique among them.
    var written: [EntityDescription] {
        var entities = self
        for number in entities.indices {
            entities[number].properties.removeAll {
                $0.attribute?.isTransient == true || $0.relationship?.derivation != nil
                    || $0.derivation?.function == .computed
            }
        }
        entities = entities.withoutUnderivable
        for number in entities.indices {
            let (known, entity) = (entities, entities[number])
            func areWritten(_ names: [String]) -> Bool {
                names.allSatisfy { known.property($0, of: entity) != nil }
            }
            entities[number].uniqueConstraints.removeAll { !areWritten($0) }
            entities[number].indexes.removeAll { !areWritten($0) }
            entities[number].spatialIndexes.removeAll { !areWritten($0) }
        }
        return entities
    }

    /// The same without properties of which not all is there that they are derived from.
    var withoutUnderivable: [EntityDescription] {
        var entities = self
        var isSettled = false
        while !isSettled {
            isSettled = true
            for number in entities.indices {
                let count = entities[number].properties.count
                let known = entities
                entities[number].properties.removeAll { !known.canDerive($0, of: known[number]) }
                if entities[number].properties.count < count { isSettled = false }
            }
        }
        return entities
    }

    /// Whether a property is none that is derived, or all is there that it is derived from.
    private func canDerive(_ property: PropertyDescription, of entity: EntityDescription) -> Bool {
        guard let derivation = property.derivation else { return true }
        guard let member = members(of: derivation, in: entity) else { return false }
        return derivation.properties.allSatisfy { self.property($0, of: member) != nil }
    }
}
