public import PlacesKit

extension AttributeDescription {
    /// What the schema says of the attribute besides its type, in a word or a few each.
    public var notes: [String] {
        var notes: [String] = []
        if isOptional { notes.append("optional") }
        if isUnique { notes.append("unique") }
        if isIndexed { notes.append("indexed") }
        if isSearchable { notes.append("searchable") }
        if usesExternalStorage { notes.append("external") }
        if let derivation {
            let source = [derivation.relationship, derivation.property].compactMap(\.self)
            notes.append(
                "derived: \(derivation.function.rawValue) of \(source.joined(separator: "."))")
        }
        if let originalName { notes.append("was \(originalName)") }
        notes += userInfo.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return notes
    }
}

extension RelationshipDescription {
    /// What the schema says of the relationship besides where it leads, in a word or a few each.
    public var notes: [String] {
        var notes: [String] = []
        if isOrdered { notes.append("ordered") }
        if let inverse { notes.append("inverse \(inverse)") }
        notes.append("on delete \(deleteRule.rawValue)")
        if let originalName { notes.append("was \(originalName)") }
        return notes
    }
}
