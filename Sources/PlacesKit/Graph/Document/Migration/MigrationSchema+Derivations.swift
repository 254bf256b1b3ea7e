extension MigrationSchema {
    /// Lets what is derived from a property, which an entity declares, read it under another name.
    mutating func renameInDerivations(_ name: String, of entity: String, to newName: String) {
        let known = entities
        func renamed(_ read: String, in reader: EntityDescription?) -> String {
            guard read == name, let reader,
                known.declaration(of: read, in: reader)?.entity.name == entity
            else { return read }
            return newName
        }
        for number in known.indices {
            for (position, property) in known[number].properties.enumerated() {
                guard var derivation = property.derivation else { continue }
                var reader: EntityDescription? = known[number]
                var path: [String] = []
                for link in derivation.path {
                    path.append(renamed(link, in: reader))
                    let destination = reader.flatMap { known.property(link, of: $0) }?.relationship?
                        .destination
                    reader = known.first { $0.name == destination }
                }
                derivation.relationship = path.joined(separator: ".")
                derivation.property = derivation.property.map { renamed($0, in: reader) }
                derivation.condition = derivation.condition.map { renamed($0, in: reader) }
                derivation.sources = derivation.sources.map { renamed($0, in: reader) }
                entities[number].properties[position].derivation = derivation
            }
        }
    }
}
