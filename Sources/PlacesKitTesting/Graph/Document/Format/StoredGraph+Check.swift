import PlacesGraph

extension StoredGraph {
    /// The contradictions to the schema, and within the graph.
    var violations: [String] {
        let ofObjects = objects.sorted { $0.key.description < $1.key.description }
            .flatMap { identity, object in
                schema.properties(of: object.entity).flatMap { property in
                    property.type == nil
                        ? linkViolations(identity, property)
                        : valueViolations(identity, object, property)
                }
            }
        return ofObjects + uniquenessViolations
    }

    private func valueViolations(
        _ identity: Identity, _ object: Object, _ property: StoredSchema.Property
    ) -> [String] {
        guard !property.isDerived, let type = property.type else { return [] }
        let name = "\(identity).\(property.name)"
        guard let value = object.values[property.name], value != .null else {
            return property.isOptional ? [] : ["\(name) has no value and is not optional"]
        }
        if let allowed = property.allowed, !allowed.contains(value) {
            return ["\(name) is none of the values that the schema lists"]
        }
        if type == "json" || property.isExternal && value.members != nil { return [] }
        return value.value(of: type) == nil ? ["\(name) holds what is no \(type)"] : []
    }

    private func linkViolations(
        _ identity: Identity, _ property: StoredSchema.Property
    ) -> [String] {
        let numbers = members(of: identity, property.name)
        let name = "\(identity).\(property.name)"
        var violations: [String] = []
        if Set(numbers).count < numbers.count { violations.append("\(name) has a member twice") }
        if !property.isToMany, numbers.count > 1 { violations.append("\(name) leads to many") }
        guard let destination = property.destination, let inverse = property.inverse else {
            return violations
        }
        for number in numbers
        where !members(of: self.identity(number, of: destination), inverse).contains(
            identity.number)
        {
            violations.append("\(name) leads to \(number), which does not lead back")
        }
        return violations
    }

    /// Values that only one object of an entity may have.
    private struct UniqueValues: Hashable {
        let entity: String
        let names: [String]
        let values: [StoredTree]
    }

    /// The unique values, and combinations of values, that two objects share.
    private var uniquenessViolations: [String] {
        var seen: [UniqueValues: Identity] = [:]
        var violations: [String] = []
        for (identity, object) in objects {
            for entity in schema.line(of: object.entity) {
                let single = entity.properties.filter(\.isUnique).map { [$0.name] }
                for names in single + entity.uniqueCombinations {
                    let values = names.map { name -> StoredTree in
                        if schema.property(name, of: entity.name)?.property.destination != nil {
                            return members(of: identity, name).first.map { .integer($0) } ?? .null
                        }
                        return object.values[name] ?? .null
                    }
                    guard !values.contains(.null) else { continue }
                    let key = UniqueValues(entity: entity.name, names: names, values: values)
                    if let other = seen[key] {
                        violations.append("\(identity) and \(other) both have \(names) \(values)")
                    }
                    seen[key] = identity
                }
            }
        }
        return violations
    }
}
