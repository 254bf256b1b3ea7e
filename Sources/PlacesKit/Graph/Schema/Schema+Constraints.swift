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
}
