extension [EntityDescription] {
    /// Checks that indexes and unique combinations are of properties that can be looked up.
    func checkConstraints() throws(SchemaError) {
        for entity in self {
            for names in entity.uniqueConstraints + entity.indexes {
                for (position, name) in names.enumerated() {
                    guard let property = property(name, of: entity),
                        property.relationship?.isToMany != true,
                        property.attribute?.usesExternalStorage != true,
                        !names[..<position].contains(name)
                    else { throw .invalidConstraint(entity: entity.name, property: name) }
                }
                let least = entity.partialIndexes.contains(names) ? 2 : 1
                if names.count < least {
                    throw .invalidConstraint(entity: entity.name, property: names.first ?? "")
                }
            }
            for names in entity.spatialIndexes {
                for name in names {
                    guard property(name, of: entity)?.attribute?.type == .double else {
                        throw .invalidProperty(
                            entity: entity.name, property: name,
                            problem:
                                "is in a spatial index, which is of degrees: two attributes of type Double."
                        )
                    }
                }
                if names.count != 2 || names[0] == names[1] {
                    throw .invalidConstraint(entity: entity.name, property: names.first ?? "")
                }
            }
        }
    }

    /// Checks that what must be unique is what files have: objects that are read from one have the defaults of what it has
    /// not, and would be unique no longer.
    func checkUniqueness() throws(SchemaError) {
        for entity in self {
            let unique =
                entity.attributes.filter { $0.isUnique }.map { [$0.name] }
                + entity.uniqueConstraints
            for name in unique.joined() {
                guard let property = property(name, of: entity) else { continue }
                if let attribute = property.attribute, attribute.isTransient,
                    attribute.defaultValue ?? .null != .null
                {
                    throw .invalidProperty(
                        entity: entity.name, property: name,
                        problem: """
                            is transient and must be unique, with others or alone: objects that are read from a file \
                            have its default. Leave it out of the constraint, or let its default be nil.
                            """)
                }
                if let source = sources(of: property, in: entity).first(where: {
                    $0.property.attribute?.isTransient == true
                }) {
                    throw .invalidProperty(
                        entity: entity.name, property: name,
                        problem: """
                            must be unique, with others or alone, and follows from \(source.entity.name).\
                            \(source.property.name), which is transient: objects that are read from a file have \
                            its default. Leave the derived one out of the constraint, or the other not transient.
                            """)
                }
            }
        }
    }
}
