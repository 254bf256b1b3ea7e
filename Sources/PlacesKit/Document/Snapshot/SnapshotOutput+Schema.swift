extension SnapshotOutput {
    /// Writes an entity with the properties that it declares itself.
    mutating func write(_ entity: EntityDescription) {
        beginObject()
        writeKey("name")
        write(entity.name)
        if let superentity = entity.superentity {
            writeKey("super")
            write(superentity)
        }
        writeFlag("abstract", entity.isAbstract)
        if let name = entity.originalName {
            writeKey("originalName")
            write(name)
        }
        writeKey("properties")
        beginArray()
        for property in entity.properties where property.attribute?.isTransient != true {
            beginObject()
            writeKey("name")
            write(property.name)
            switch property {
            case .attribute(let attribute):
                writeKey("type")
                write(attribute.type.rawValue)
                writeFlag("optional", attribute.isOptional)
                writeFlag("unique", attribute.isUnique)
                writeFlag("indexed", attribute.isIndexed)
                writeFlag("searchable", attribute.isSearchable)
                if let derivation = attribute.derivation { writeDerivation(derivation) }
                writeFlag("external", attribute.usesExternalStorage)
                if !attribute.rules.isEmpty {
                    writeKey("rules")
                    write(attribute.rules)
                }
                if let values = attribute.allowedValues {
                    writeKey("values")
                    beginArray()
                    for value in values { write(datum: value) }
                    endArray()
                }
            case .relationship(let relationship):
                writeKey("to")
                write(relationship.destination)
                writeFlag("many", relationship.isToMany)
                writeFlag("ordered", relationship.isOrdered)
                if let inverse = relationship.inverse {
                    writeKey("inverse")
                    write(inverse)
                }
                writeKey("onDelete")
                write(relationship.deleteRule.rawValue)
                if relationship.minimumCount > 0 {
                    writeKey("minCount")
                    write(Int64(relationship.minimumCount))
                }
                if let maximum = relationship.maximumCount {
                    writeKey("maxCount")
                    write(Int64(maximum))
                }
            }
            if let name = property.originalName {
                writeKey("originalName")
                write(name)
            }
            endObject()
        }
        endArray()
        writeNames("unique", entity.uniqueConstraints)
        writeNames("indexes", entity.indexes)
        endObject()
    }

    private mutating func writeDerivation(_ derivation: DerivationDescription) {
        writeKey("derived")
        write(derivation.function.rawValue)
        writeKey("over")
        write(derivation.relationship)
        if let property = derivation.property {
            writeKey("of")
            write(property)
        }
        if let condition = derivation.condition {
            writeKey("where")
            write(condition)
        }
    }

    private mutating func writeNames(_ key: String, _ lists: [[String]]) {
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

    private mutating func writeFlag(_ name: String, _ isSet: Bool) {
        guard isSet else { return }
        writeKey(name)
        write(true)
    }
}
