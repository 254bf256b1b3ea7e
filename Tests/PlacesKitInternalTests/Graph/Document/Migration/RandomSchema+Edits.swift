import Foundation
import PlacesKit

@testable import PlacesGraph

/// Random changes of a schema, each with what it does to the objects.
extension RandomSchema {
    mutating func edit() {
        let edits: [(inout RandomSchema) -> String?] = [
            { $0.addAttribute() }, { $0.removeAttribute() }, { $0.renameProperty() },
            { $0.renameProperty() }, { $0.swapNames() }, { $0.retype() }, { $0.retype() },
            { $0.makeOptional() }, { $0.makeRequired() }, { $0.addEntity() },
            { $0.removeEntity() }, { $0.renameEntity() }, { $0.addRelationship("") },
            { $0.removeRelationship() }, { $0.makeToMany() }, { $0.makeToOne() },
            { $0.addSuperentity() }, { $0.pullUp() }, { $0.pushDown() }, { $0.toggleOrder() },
            { $0.addInverse() }, { $0.removeInverse() },
        ]
        guard let edit = element(of: edits), let step = edit(&self) else { return }
        steps.append(step)
    }

    /// A random property of a kind.
    private mutating func property(
        where isWanted: (PropertyDescription) -> Bool
    ) -> (entity: Int, slot: Int)? {
        let locations = entities.indices.flatMap { entity in
            entities[entity].properties.indices
                .filter { isWanted(entities[entity].properties[$0]) }
                .map { (entity: entity, slot: $0) }
        }
        return element(of: locations)
    }

    private func fullName(_ location: (entity: Int, slot: Int)) -> String {
        "\(entities[location.entity].name).\(entities[location.entity].properties[location.slot].name)"
    }

    private mutating func forEachValue(
        of location: (entity: Int, slot: Int), _ body: (PropertyValue) -> PropertyValue
    ) {
        let name = entities[location.entity].properties[location.slot].name
        let entity = entities[location.entity].name
        for (id, values) in records where isKind(id.entity, of: entity) {
            records[id]?[name] = values[name].map(body)
        }
    }

    // MARK: - Attributes

    private mutating func addAttribute() -> String? {
        guard let entity = element(of: Array(entities.indices)) else { return nil }
        var attribute = attribute()
        attribute.defaultValue =
            attribute.isOptional && number(0...1) == 0 ? .null : value(attribute.type)
        entities[entity].properties.append(.attribute(attribute))
        // It has its last default from the beginning.
        retyped.insert(attribute.name)
        setAll(
            attribute.name, of: entities[entity].name,
            .attribute(attribute.defaultValue ?? .null))
        return "add \(entities[entity].name).\(attribute.name)"
    }

    private mutating func removeAttribute() -> String? {
        // One whose name another had may not go: that is what another of its name would be.
        guard
            let location = property(where: { $0.attribute.map { $0.originalName == nil } ?? false })
        else { return nil }
        let step = "remove \(fullName(location))"
        let name = entities[location.entity].properties.remove(at: location.slot).name
        setAll(name, of: entities[location.entity].name, nil)
        return step
    }

    private mutating func swapNames() -> String? {
        guard let location = property(where: { $0.attribute != nil }),
            let other = element(
                of: entities[location.entity].properties.indices.filter {
                    $0 != location.slot && entities[location.entity].properties[$0].attribute != nil
                }),
            case .attribute(var one) = entities[location.entity].properties[location.slot],
            case .attribute(var two) = entities[location.entity].properties[other]
        else { return nil }
        one.originalName = one.originalName ?? one.name
        two.originalName = two.originalName ?? two.name
        swap(&one.name, &two.name)
        entities[location.entity].properties[location.slot] = .attribute(one)
        entities[location.entity].properties[other] = .attribute(two)
        for (id, values) in records where isKind(id.entity, of: entities[location.entity].name) {
            records[id]?[one.name] = values[two.name]
            records[id]?[two.name] = values[one.name]
        }
        return "swap \(entities[location.entity].name).\(one.name) and \(two.name)"
    }

    private mutating func retype() -> String? {
        guard let location = property(where: { $0.attribute != nil }),
            case .attribute(var attribute) = entities[location.entity].properties[location.slot],
            let (type, convert) = Self.retyping(attribute.type),
            retyped.insert(attribute.originalName ?? attribute.name).inserted
        else { return nil }
        attribute.type = type
        attribute.defaultValue = attribute.defaultValue.map { $0 == .null ? .null : convert($0) }
        entities[location.entity].properties[location.slot] = .attribute(attribute)
        forEachValue(of: location) { value in
            guard case .attribute(let datum) = value, datum != .null else { return value }
            return .attribute(convert(datum))
        }
        return "\(fullName(location)) is \(type)"
    }

    /// A type that has room for all values of another, and what these become.
    private static func retyping(_ type: AttributeType) -> (AttributeType, (Datum) -> Datum)? {
        switch type {
        case .boolean: (.int16, { .integer($0 == .boolean(true) ? 1 : 0) })
        case .int16: (.int64, { $0 })
        case .int64:
            (
                .double,
                { if case .integer(let value) = $0 { .double(Double(value)) } else { .null } }
            )
        case .uint64:
            (
                .decimal,
                { if case .unsigned(let value) = $0 { .decimal(Decimal(value)) } else { .null } }
            )
        case .double, .decimal, .uuid:
            (
                .string,
                {
                    switch $0 {
                    case .double(let value): .string("\(value)")
                    case .decimal(let value): .string("\(value)")
                    case .uuid(let value): .string(value.uuidString)
                    default: .null
                    }
                }
            )
        case .string:
            (.data, { if case .string(let value) = $0 { .data(Data(value.utf8)) } else { .null } })
        default: nil
        }
    }

    private mutating func makeOptional() -> String? {
        guard let location = property(where: { $0.attribute?.isOptional == false }),
            case .attribute(var attribute) = entities[location.entity].properties[location.slot],
            retyped.insert(attribute.originalName ?? attribute.name).inserted
        else { return nil }
        attribute.isOptional = true
        // It concerns new objects only.
        attribute.defaultValue = attribute.defaultValue ?? value(attribute.type)
        entities[location.entity].properties[location.slot] = .attribute(attribute)
        return "\(fullName(location)) is optional"
    }

    private mutating func makeRequired() -> String? {
        guard let location = property(where: { $0.attribute?.isOptional == true }),
            case .attribute(var attribute) = entities[location.entity].properties[location.slot],
            retyped.insert(attribute.originalName ?? attribute.name).inserted
        else { return nil }
        let fallback = value(attribute.type)
        attribute.isOptional = false
        attribute.defaultValue = fallback
        entities[location.entity].properties[location.slot] = .attribute(attribute)
        forEachValue(of: location) { $0 == .attribute(.null) ? .attribute(fallback) : $0 }
        return "\(fullName(location)) is required"
    }

    // MARK: - Names

    private mutating func renameProperty() -> String? {
        guard let location = property(where: { _ in true }) else { return nil }
        let (step, newName) = ("rename \(fullName(location))", name("p"))
        let (entity, old) = (
            entities[location.entity].name, entities[location.entity].properties[location.slot]
        )
        switch old {
        case .attribute(var attribute):
            attribute.originalName = old.identity
            attribute.name = newName
            entities[location.entity].properties[location.slot] = .attribute(attribute)
        case .relationship(var relationship):
            relationship.originalName = old.identity
            relationship.name = newName
            entities[location.entity].properties[location.slot] = .relationship(relationship)
            if let mirror = mirror(of: location, named: old.name) {
                setInverse(of: mirror, to: newName)
            }
            if unordered.remove(old.name) != nil { unordered.insert(newName) }
        }
        for (id, values) in records where isKind(id.entity, of: entity) {
            records[id]?[old.name] = nil
            records[id]?[newName] = values[old.name]
        }
        return "\(step) to \(newName)"
    }

    private mutating func renameEntity() -> String? {
        guard let number = element(of: Array(entities.indices)) else { return nil }
        let (old, newName) = (entities[number].name, name("N"))
        entities[number].originalName = entities[number].identity
        entities[number].name = newName
        for entity in entities.indices {
            if entities[entity].superentity == old { entities[entity].superentity = newName }
            for slot in entities[entity].properties.indices {
                guard case .relationship(var link) = entities[entity].properties[slot],
                    link.destination == old
                else { continue }
                link.destination = newName
                entities[entity].properties[slot] = .relationship(link)
            }
        }
        func renamed(_ id: ObjectID) -> ObjectID {
            id.entity == old ? ObjectID(entity: newName, number: id.number) : id
        }
        var changed: [ObjectID: Values] = [:]
        for (id, values) in records {
            changed[renamed(id)] = values.mapValues { value in
                switch value {
                case .attribute: value
                case .object(let id): .object(id.map(renamed))
                case .objects(let ids): .objects(ids.map(renamed))
                }
            }
        }
        records = changed
        return "rename \(old) to \(newName)"
    }

    // MARK: - Entities

    private mutating func addEntity() -> String? {
        let attribute = attribute()
        entities.append(EntityDescription(name: name("E"), properties: [.attribute(attribute)]))
        return "add \(entities[entities.count - 1].name)"
    }

    private mutating func removeEntity() -> String? {
        // Some entity of the document has to stay.
        let known = Set(records.keys.map(\.entity))
        guard entities.count > 1, let number = element(of: Array(entities.indices)),
            known.subtracting([entities[number].name]).count > 0,
            !entities.contains(where: { [gone = entities[number].name] in $0.superentity == gone })
        else { return nil }
        while let slot = entities[number].properties.firstIndex(where: { $0.relationship != nil }) {
            remove((number, slot))
        }
        let gone = entities.remove(at: number).name
        records = records.filter { $0.key.entity != gone }
        // What led to a superentity may have led to its objects.
        for (id, values) in records {
            for (name, value) in values {
                switch value {
                case .attribute: break
                case .object(let target):
                    if target?.entity == gone { records[id]?[name] = .object(nil) }
                case .objects(let members):
                    records[id]?[name] = .objects(members.filter { $0.entity != gone })
                }
            }
        }
        return "remove \(gone)"
    }

    // MARK: - Hierarchies

    /// Lets an entity that inherits nothing inherit from a new one.
    private mutating func addSuperentity() -> String? {
        let roots = entities.indices.filter { entities[$0].superentity == nil }
        guard let root = element(of: roots) else { return nil }
        let above = EntityDescription(name: name("S"), properties: [])
        entities[root].superentity = above.name
        entities.append(above)
        return "\(entities[root].name) inherits from \(above.name)"
    }

    /// Moves an attribute to the superentity.
    private mutating func pullUp() -> String? {
        guard let location = property(where: { $0.attribute != nil }),
            case .attribute(var attribute) = entities[location.entity].properties[location.slot],
            let above = entities.firstIndex(where: {
                [name = entities[location.entity].superentity] in $0.name == name
            }), retyped.insert(attribute.originalName ?? attribute.name).inserted
        else { return nil }
        let step = "\(fullName(location)) moves up"
        attribute.defaultValue = value(attribute.type)
        entities[location.entity].properties.remove(at: location.slot)
        entities[above].properties.append(.attribute(attribute))
        for id in records.keys
        where isKind(id.entity, of: entities[above].name)
            && !isKind(id.entity, of: entities[location.entity].name)
        {
            records[id]?[attribute.name] = .attribute(attribute.defaultValue ?? .null)
        }
        return step
    }

    /// Moves an attribute to an entity that inherits it.
    private mutating func pushDown() -> String? {
        guard let location = property(where: { $0.attribute != nil }) else { return nil }
        let above = entities[location.entity].name
        let heirs = entities.indices.filter { entities[$0].superentity == above }
        // What comes back where it was has never been away, whatever the steps between.
        guard let heir = element(of: heirs),
            let attribute = entities[location.entity].properties[location.slot].attribute,
            retyped.insert(attribute.originalName ?? attribute.name).inserted
        else { return nil }
        let step = "\(fullName(location)) moves down"
        let property = entities[location.entity].properties.remove(at: location.slot)
        entities[heir].properties.append(property)
        for id in records.keys
        where isKind(id.entity, of: above) && !isKind(id.entity, of: entities[heir].name) {
            records[id]?[property.name] = nil
        }
        return step
    }

    // MARK: - Relationships

    private mutating func addRelationship(_ prefix: String) -> String? {
        addRelationship()
        return "add a relationship"
    }

    private func mirror(
        of location: (entity: Int, slot: Int), named name: String
    ) -> (entity: Int, slot: Int)? {
        guard let link = entities[location.entity].properties[location.slot].relationship,
            let inverse = link.inverse,
            let entity = entities.firstIndex(where: { $0.name == link.destination }),
            let slot = entities[entity].position(named: inverse)
        else { return nil }
        return (entity, slot)
    }

    private mutating func setInverse(of location: (entity: Int, slot: Int), to name: String?) {
        guard case .relationship(var link) = entities[location.entity].properties[location.slot]
        else {
            return
        }
        link.inverse = name
        entities[location.entity].properties[location.slot] = .relationship(link)
    }

    /// Removes a relationship and its inverse.
    private mutating func remove(_ location: (entity: Int, slot: Int)) {
        let name = entities[location.entity].properties[location.slot].name
        let mirror = mirror(of: location, named: name)
        for end in [location, mirror].compactMap(\.self).sorted(by: { $0.slot > $1.slot }) {
            let gone = entities[end.entity].properties.remove(at: end.slot).name
            setAll(gone, of: entities[end.entity].name, nil)
        }
    }

    private mutating func removeRelationship() -> String? {
        guard let location = property(where: { $0.relationship != nil }) else { return nil }
        let step = "remove \(fullName(location))"
        remove(location)
        return step
    }

    private mutating func makeToMany() -> String? {
        guard
            let location = property(where: {
                $0.relationship?.isToMany == false && $0.relationship?.inverse != nil
            }), case .relationship(var link) = entities[location.entity].properties[location.slot]
        else { return nil }
        link.isToMany = true
        entities[location.entity].properties[location.slot] = .relationship(link)
        forEachValue(of: location) { value in
            if case .object(let id) = value { .objects(id.map { [$0] } ?? []) } else { value }
        }
        return "\(fullName(location)) is to-many"
    }

    private mutating func makeToOne() -> String? {
        guard let location = property(where: { $0.relationship?.isToMany == true }),
            case .relationship(var link) = entities[location.entity].properties[location.slot]
        else { return nil }
        let name = link.name
        let fits = records.allSatisfy { id, values in
            guard isKind(id.entity, of: entities[location.entity].name),
                case .objects(let ids)? = values[name]
            else { return true }
            return ids.count < 2
        }
        guard fits else { return nil }
        link.isToMany = false
        link.isOrdered = false
        entities[location.entity].properties[location.slot] = .relationship(link)
        forEachValue(of: location) { value in
            if case .objects(let ids) = value { .object(ids.first) } else { value }
        }
        return "\(fullName(location)) is to-one"
    }

    private mutating func toggleOrder() -> String? {
        guard let location = property(where: { $0.relationship?.isToMany == true }),
            case .relationship(var link) = entities[location.entity].properties[location.slot]
        else { return nil }
        link.isOrdered.toggle()
        entities[location.entity].properties[location.slot] = .relationship(link)
        return "\(fullName(location)) is ordered: \(link.isOrdered)"
    }

    private mutating func addInverse() -> String? {
        guard
            let location = property(where: { property in
                property.relationship.map { $0.inverse == nil } ?? false
            }), let link = entities[location.entity].properties[location.slot].relationship
        else { return nil }
        let (step, entity) = ("mirror \(fullName(location))", entities[location.entity].name)
        let mirror = RelationshipDescription(
            name: name("r"), destination: entity, inverse: link.name, isToMany: true)
        setInverse(of: location, to: mirror.name)
        entities[location.entity].properties.append(.relationship(mirror))
        setAll(mirror.name, of: entity, .objects([]))
        for (id, values) in records {
            guard isKind(id.entity, of: entity), case .object(let target?)? = values[link.name],
                case .objects(let ids)? = records[target]?[mirror.name]
            else { continue }
            records[target]?[mirror.name] = .objects(ids + [id])
        }
        unordered.insert(mirror.name)
        return step
    }

    private mutating func removeInverse() -> String? {
        guard
            let location = property(where: { $0.relationship?.isToMany == true }),
            let mirror = mirror(
                of: location, named: entities[location.entity].properties[location.slot].name),
            mirror.entity == location.entity, mirror.slot != location.slot,
            entities[mirror.entity].properties[mirror.slot].relationship?.isToMany == false
        else { return nil }
        let step = "do not mirror \(fullName(mirror))"
        setInverse(of: mirror, to: nil)
        let gone = entities[location.entity].properties.remove(at: location.slot).name
        setAll(gone, of: entities[location.entity].name, nil)
        return step
    }
}
