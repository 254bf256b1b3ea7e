/// Something that records of an entity have: their identifier, a property, or what a key path leads to.
struct RecordColumn: Sendable {
    /// What a column holds.
    enum Kind: Sendable {
        /// The number of the object.
        case identifier
        /// The name of the object's class.
        case entity
        /// The property in a slot.
        case property(slot: Slot)
        /// An attribute of each member of the to-many relationship in a slot.
        case members(slot: Slot, attribute: Slot)
        /// What a key path leads to.
        case value(Operand, FormatType)
    }

    /// Whether a name is that of the column for the objects' identifiers, unless it is a property's.
    static func isIdentifier(_ name: String) -> Bool { name == "id" || name == "objectID" }

    /// Whether a name is that of the column for the objects' classes, unless a class of theirs has a property of
    /// that name.
    static func isEntity(_ name: String, in layout: TableLayout) -> Bool {
        name == "objectID.entity"
            || name == "entity" && !layout.properties.contains { $0.name == name }
    }

    /// The key path as it was written.
    let name: String
    let kind: Kind

    /// The column of a key path from objects of an entity.
    init(_ name: String, of number: Int, in graph: Graph) throws(PredicateFormatError) {
        self.name = name
        let entity = graph.layout.entities[number]
        if let slot = entity.slot(named: name, in: graph.layout) {
            kind = .property(slot: slot)
        } else if Self.isIdentifier(name) {
            kind = .identifier
        } else if Self.isEntity(name, in: graph.layout.tables[entity.table]) {
            kind = .entity
        } else if let members = Self.members(name, of: entity, in: graph.layout) {
            kind = members
        } else {
            let isOfNames = Self.isOfNames(
                name.split(separator: ".", omittingEmptySubsequences: false)[...], entity,
                graph.layout)
            let text = isOfNames ? FormatValue.keyPathText(name) : name
            do throws(PredicateFormatError) {
                let path = try FormatParser.keyPath(text)
                let operand = try FormatCompiler.operand(path, written: text, of: number, in: graph)
                kind = .value(operand.operand, operand.type)
            } catch {
                var error = error
                error.source = "the key path"
                throw error
            }
        }
    }

    /// Whether a key path leads along properties of these names, which may be words of formats or none at all, up to a
    /// function.
    private static func isOfNames(
        _ steps: ArraySlice<Substring>, _ entity: EntityLayout, _ layout: GraphLayout
    ) -> Bool {
        guard let step = steps.first, !step.hasPrefix("@") else { return true }
        // The name of a part of a composite attribute has a dot in it.
        if entity.slot(named: steps.joined(separator: "."), in: layout) != nil { return true }
        guard let slot = entity.slot(named: String(step), in: layout),
            let relationship = layout.tables[entity.table].properties[slot].relationship,
            let destination = layout.entity(named: relationship.destination)
        else { return false }
        return isOfNames(steps.dropFirst(), destination, layout)
    }

    /// A to-many relationship and an attribute of its members, as in `tags.name`.
    private static func members(
        _ name: String, of entity: EntityLayout, in layout: GraphLayout
    ) -> Kind? {
        let steps = name.split(separator: ".", omittingEmptySubsequences: false)
        guard steps.count == 2, let slot = entity.slot(named: String(steps[0]), in: layout),
            let relationship = layout.tables[entity.table].properties[slot].relationship,
            relationship.isToMany, let destination = layout.entity(named: relationship.destination),
            let attribute = destination.slot(named: String(steps[1]), in: layout),
            layout.tables[destination.table].properties[attribute].attribute != nil
        else { return nil }
        return .members(slot: slot, attribute: attribute)
    }

    /// Tells of rows what the column holds.
    func values(in table: TableNumber, of graph: Graph) -> (Row) -> RecordValue {
        switch kind {
        case .identifier: return { .property(.object(graph.objectID($0, in: table))) }
        case .entity:
            return { .property(.attribute(.string(graph.objectID($0, in: table).entity))) }
        case .property(let slot):
            return { .property(graph.propertyValue($0, slot, in: table)) }
        case .members(let slot, let attribute):
            let destination = graph.destination(of: slot, in: table)
            return { row in
                .values(
                    graph.related(row, slot, in: table).map {
                        graph.value($0, attribute, in: destination)
                    })
            }
        case .value(let operand, let type):
            let value = graph.values(of: operand, in: table)
            guard case .object(let destination) = type else {
                return { .property(.attribute(value($0))) }
            }
            return { row in
                guard case .integer(let number) = value(row),
                    let object = graph.row(of: number, in: destination)
                else { return .property(.object(nil)) }
                return .property(.object(graph.objectID(object, in: destination)))
            }
        }
    }

    /// Whether the values of attributes are JSON.
    func isJSON(in table: TableNumber, of graph: Graph) -> Bool {
        switch kind {
        case .identifier, .entity: false
        case .property(let slot): graph.isJSON(slot, in: table)
        case .members(let slot, let attribute):
            graph.isJSON(attribute, in: graph.destination(of: slot, in: table))
        case .value(_, let type): type.isCoded
        }
    }
}

/// What a column holds for one record.
enum RecordValue {
    case property(PropertyValue)
    /// An attribute of each of several objects.
    case values([Datum])
}

extension Graph {
    fileprivate func isJSON(_ slot: Slot, in table: TableNumber) -> Bool {
        layout.tables[table].properties[slot].attribute?.type == .json
    }
}

extension EntityLayout {
    /// The slot of the property of a name.
    func slot(named name: String, in layout: GraphLayout) -> Slot? {
        slots.first { layout.tables[table].properties[$0].name == name }
    }
}
