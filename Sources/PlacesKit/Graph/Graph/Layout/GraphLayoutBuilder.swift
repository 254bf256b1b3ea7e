/// Lays out a schema.
struct GraphLayoutBuilder {
    private let schema: Schema
    private var tables: [TableLayout] = []
    private(set) var entities: [EntityLayout] = []

    init(schema: Schema) {
        self.schema = schema
    }

    mutating func build() -> [TableLayout] {
        let lineages = schema.entities.indices.map(schema.lineage)
        let families = schema.families
        tables = schema.entities.indices.map { number in
            lineages[number].count == 1
                ? makeTable(of: families[number])
                : TableLayout(columns: [], relationships: [], uniqueSlots: [], presence: Slot(0))
        }
        entities = schema.entities.indices.map { number in
            let table = TableNumber(lineages[number][lineages[number].count - 1])
            let kind = tables[table].entities.firstIndex(of: number) ?? 0
            return EntityLayout(
                name: schema.entities[number].name,
                isAbstract: schema.entities[number].isAbstract, table: table,
                kinds: Int32(kind)..<Int32(kind + families[number].count),
                slots: lineages[number].flatMap { ownSlots(of: $0, in: tables[table]) })
        }
        for entity in schema.entities.indices { layOutRelationships(of: entity) }
        for table in tables.tableNumbers {
            // Its elements tell the generations of entities' rows.
            let isOfEntity = !tables[table].entities.isEmpty
            tables[table].presence = addColumn(
                Column(isOfEntity ? .reference : .boolean), to: table)
            if tables[table].entities.count > 1 {
                tables[table].kinds = addColumn(Column(.reference), to: table)
            }
        }
        return tables
    }

    /// The table of an entity and its heirs, without what relationships need.
    private func makeTable(of family: [Int]) -> TableLayout {
        let properties = family.flatMap { schema.entities[$0].properties }
        let shared = schema.entities[family[0]].properties.count
        var table = TableLayout(
            name: schema.entities[family[0]].name, entities: family, properties: properties,
            columns: properties.enumerated().map { slot, property in
                property.attribute.map {
                    slot < shared || $0.derivation != nil
                        ? Column(for: $0) : Column(for: $0.withoutDefault)
                } ?? Column(.reference)
            },
            relationships: Array(repeating: nil, count: properties.count),
            uniqueSlots: properties.slots.filter {
                properties[$0].attribute?.isUnique ?? false
            },
            presence: Slot(0))
        table.clashPolicies = table.uniqueSlots.map { properties[$0].attribute?.clashPolicy }
        table.defaults = family.map { number in
            schema.lineage(of: number).flatMap { ownSlots(of: $0, in: table) }.compactMap { slot in
                guard slot.index >= shared, let attribute = properties[slot].attribute,
                    attribute.derivation == nil, let value = attribute.defaultValue, value != .null
                else { return nil }
                return (slot, value)
            }
        }
        return table
    }

    /// The slots of the properties that an entity itself declares.
    private func ownSlots(of number: Int, in table: TableLayout) -> Range<Slot> {
        let first = table.entities.prefix { $0 != number }
            .reduce(0) { $0 + schema.entities[$1].properties.count }
        return Slot(first)..<Slot(first + schema.entities[number].properties.count)
    }

    private mutating func layOutRelationships(of entity: Int) {
        let table = entities[entity].table
        for (position, property) in zip(
            schema.entities[entity].properties.slots, schema.entities[entity].properties)
        {
            let slot = entities[entity].slots[position]
            guard let relationship = property.relationship,
                let destination = schema.number(named: relationship.destination)
            else { continue }
            tables[table].destinations.append((slot, destination))
            // What was laid out from the other end is there already.
            guard tables[table].relationships[slot] == nil else { continue }
            let inverse = relationship.inverse.flatMap {
                schema.entities[destination].position(named: $0)
            }
            layOut(
                relationship, at: table, slot, destination: entities[destination].table,
                inverse: inverse.map { entities[destination].slots[$0] })
        }
    }

    private mutating func layOut(
        _ relationship: RelationshipDescription, at table: TableNumber, _ slot: Slot,
        destination: TableNumber, inverse: Slot?
    ) {
        let mirror = inverse.flatMap { tables[destination].properties[$0].relationship }
        switch (relationship.isToMany, mirror?.isToMany ?? true, inverse) {
        case (false, false, let inverse?):
            tables[table].relationships[slot] = .oneToOne(
                other: ColumnAddress(table: destination, column: inverse))
            tables[destination].relationships[inverse] = .oneToOne(
                other: ColumnAddress(table: table, column: slot))
        case (false, _, _):
            let list = addList(
                owners: destination, ownerSlot: inverse, members: table, reference: slot)
            tables[table].relationships[slot] = .toOne(list: list)
            if let inverse {
                tables[destination].relationships[inverse] = .toMany(list: list)
            } else {
                tables[destination].hiddenLists.append(list)
            }
        case (true, false, let inverse?):
            let list = addList(
                owners: table, ownerSlot: slot, members: destination, reference: inverse)
            tables[table].relationships[slot] = .toMany(list: list)
            tables[destination].relationships[inverse] = .toOne(list: list)
        case (true, _, let inverse?):
            tables.append(
                TableLayout(
                    columns: [], relationships: [], uniqueSlots: [.firstEnd], presence: Slot(0)))
            let edges = TableNumber(tables.count - 1)
            let left = addColumn(Column(.reference), to: edges)
            let right = addColumn(Column(.reference), to: edges)
            let own = addList(owners: table, ownerSlot: slot, members: edges, reference: left)
            let other = addList(
                owners: destination, ownerSlot: inverse, members: edges, reference: right)
            tables[table].relationships[slot] = .manyToMany(own: own, other: other)
            tables[destination].relationships[inverse] = .manyToMany(own: other, other: own)
        case (true, _, nil):
            preconditionFailure("a schema gives every to-many relationship an inverse")
        }
    }

    private mutating func addColumn(_ column: Column, to table: TableNumber) -> Slot {
        let slot = tables[table].columns.slots.upperBound
        tables[table].columns.append(column)
        return slot
    }

    private mutating func addList(
        owners: TableNumber, ownerSlot: Slot?, members: TableNumber, reference: Slot
    ) -> ListLayout {
        let next = addColumn(Column(.reference), to: members)
        let previous = addColumn(Column(.reference), to: members)
        let head = ownerSlot ?? addColumn(Column(.reference), to: owners)
        let tail = addColumn(Column(.reference), to: owners)
        let count = addColumn(Column(.reference), to: owners)
        let relationship = ownerSlot.flatMap { tables[owners].properties[$0].relationship }
        return ListLayout(
            owners: owners, head: head, tail: tail, count: count, members: members,
            owner: reference, next: next, previous: previous, ownerSlot: ownerSlot,
            order: relationship?.isOrdered ?? false ? addOrder(of: members) : nil)
    }

    private mutating func addOrder(of members: TableNumber) -> ListOrder {
        tables[members].listOrderCount += 1
        return ListOrder(
            column: addColumn(Column(.integer), to: members),
            index: tables[members].listOrderCount - 1)
    }
}

extension AttributeDescription {
    /// The same for a column whose unwritten rows hold nothing.
    fileprivate var withoutDefault: AttributeDescription {
        var attribute = self
        attribute.defaultValue = isOptional ? .null : nil
        return attribute
    }
}
