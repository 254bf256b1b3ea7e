extension SnapshotOutput {
    /// Writes an entity with the properties that it declares itself.
    mutating func write(_ entity: EntityDescription) {
        beginObject()
        writeKey(SnapshotKeys.Entity.name)
        write(entity.name)
        if let superentity = entity.superentity {
            writeKey(SnapshotKeys.Entity.superentity)
            write(superentity)
        }
        writeFlag(SnapshotKeys.Entity.isAbstract, entity.isAbstract)
        if let name = entity.originalName {
            writeKey(SnapshotKeys.Entity.originalName)
            write(name)
        }
        writeKey(SnapshotKeys.Entity.properties)
        beginArray()
        for property in entity.properties where property.attribute?.isTransient != true {
            beginObject()
            writeKey(SnapshotKeys.Property.name)
            write(property.name)
            switch property {
            case .attribute(let attribute):
                writeKey(SnapshotKeys.Property.type)
                write(attribute.type.rawValue)
                writeFlag(SnapshotKeys.Property.isOptional, attribute.isOptional)
                writeFlag(SnapshotKeys.Property.isUnique, attribute.isUnique)
                writeFlag(SnapshotKeys.Property.isIndexed, attribute.isIndexed)
                writeFlag(SnapshotKeys.Property.isSearchable, attribute.isSearchable)
                if let derivation = attribute.derivation { writeDerivation(derivation) }
                writeFlag(SnapshotKeys.Property.isExternal, attribute.usesExternalStorage)
                if !attribute.rules.isEmpty {
                    writeKey(SnapshotKeys.Property.rules)
                    write(attribute.rules)
                }
                if let values = attribute.allowedValues {
                    writeKey(SnapshotKeys.Property.values)
                    beginArray()
                    for value in values { write(datum: value) }
                    endArray()
                }
            case .relationship(let relationship):
                writeKey(SnapshotKeys.Property.destination)
                write(relationship.destination)
                writeFlag(SnapshotKeys.Property.isToMany, relationship.isToMany)
                writeFlag(SnapshotKeys.Property.isOrdered, relationship.isOrdered)
                if let inverse = relationship.inverse {
                    writeKey(SnapshotKeys.Property.inverse)
                    write(inverse)
                }
                writeKey(SnapshotKeys.Property.deleteRule)
                write(relationship.deleteRule.rawValue)
                if relationship.minimumCount > 0 {
                    writeKey(SnapshotKeys.Property.minimumCount)
                    write(Int64(relationship.minimumCount))
                }
                if let maximum = relationship.maximumCount {
                    writeKey(SnapshotKeys.Property.maximumCount)
                    write(Int64(maximum))
                }
            }
            if let name = property.originalName {
                writeKey(SnapshotKeys.Property.originalName)
                write(name)
            }
            endObject()
        }
        endArray()
        writeNames(.uniqueConstraints, entity.uniqueConstraints)
        writeNames(.indexes, entity.indexes)
        endObject()
    }

    private mutating func writeDerivation(_ derivation: DerivationDescription) {
        writeKey(SnapshotKeys.Property.derivation)
        write(derivation.function.rawValue)
        writeKey(SnapshotKeys.Property.derivedRelationship)
        write(derivation.relationship)
        if let property = derivation.property {
            writeKey(SnapshotKeys.Property.derivedProperty)
            write(property)
        }
        if let condition = derivation.condition {
            writeKey(SnapshotKeys.Property.derivedCondition)
            write(condition)
        }
    }

    private mutating func writeNames(_ key: SnapshotKeys.Entity, _ lists: [[String]]) {
        guard !lists.isEmpty else { return }
        writeKey(key)
        beginArray()
        for names in lists {
            beginArray()
            for name in names { write(name) }
            endArray()
        }
        endArray()
    }

    private mutating func writeFlag(_ key: some FileKey, _ isSet: Bool) {
        guard isSet else { return }
        writeKey(key)
        write(true)
    }
}
