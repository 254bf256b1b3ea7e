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
                if names.isEmpty { throw .invalidConstraint(entity: entity.name, property: "") }
            }
        }
    }
}
