/// Lays out what follows the columns of a schema's tables: indexes and derived attributes.
struct FollowerLayout {
    private let schema: Schema
    private(set) var tables: [TableLayout]
    private(set) var derivations: [DerivationLayout] = []

    init(schema: Schema, tables: [TableLayout]) {
        self.schema = schema
        self.tables = tables
    }

    mutating func layOut() {
        for entity in schema.entities.indices {
            layOutIndexes(of: entity)
            layOutDerivations(of: entity)
        }
        for table in tables.indices { layOutFollowers(of: table) }
    }

    /// The slot, in its table, of the property of a name that an entity has.
    private func slot(_ name: String, of entity: Int) -> Int? {
        schema.entities[entity].slot(named: name)
    }

    /// How the property in a slot is ordered; `nil` for a to-many relationship.
    private func indexedColumn(_ slot: Int, of table: Int) -> IndexedColumn? {
        let property = tables[table].properties[slot]
        guard property.relationship?.isToMany != true else { return nil }
        return IndexedColumn(
            column: slot, kind: tables[table].columns[slot].kind,
            isOptional: property.attribute?.isOptional ?? true)
    }

    private mutating func layOutIndexes(of entity: Int) {
        let description = schema.entities[entity]
        let single = description.attributes.filter(\.isIndexed).map { [$0.name] }
        for names in single + description.indexes {
            let columns = names.compactMap { slot($0, of: entity) }
                .compactMap { indexedColumn($0, of: entity) }
            if columns.isEmpty { continue }
            tables[entity].orderedIndexes.append(OrderedIndexLayout(columns: columns))
        }
        for names in description.uniqueConstraints {
            tables[entity].combinations.append(
                CombinationLayout(
                    columns: names.compactMap { slot($0, of: entity) }
                        .compactMap { indexedColumn($0, of: entity) }))
        }
    }

    private mutating func layOutDerivations(of entity: Int) {
        for attribute in schema.entities[entity].attributes {
            guard let derivation = attribute.derivation,
                let slot = slot(attribute.name, of: entity),
                let relationship = self.slot(derivation.relationship, of: entity),
                let name = tables[entity].properties[relationship].relationship?.destination,
                let members = schema.number(named: name)
            else { continue }
            let value = derivation.property.flatMap { self.slot($0, of: members) }
                .flatMap { indexedColumn($0, of: members) }
            let accumulator = tables[entity].columns.count
            for kind in derivation.function.accumulators(for: value?.kind) {
                tables[entity].columns.append(Column(kind))
            }
            tables[entity].derivations.append(derivations.count)
            if derivation.function.isOrdered { tables[entity].memberIndexCount += 1 }
            derivations.append(
                DerivationLayout(
                    function: derivation.function, owners: entity, slot: slot,
                    relationship: relationship, members: members, value: value,
                    condition: derivation.condition.flatMap { self.slot($0, of: members) },
                    accumulator: accumulator,
                    index: derivation.function.isOrdered
                        ? tables[entity].memberIndexCount - 1 : nil))
        }
    }

    private mutating func layOutFollowers(of table: Int) {
        tables[table].followers = tables[table].properties.indices.map { slot in
            let layout = tables[table]
            let followers = ColumnFollowers(
                orderedIndexes: layout.orderedIndexes.indices.filter { index in
                    layout.orderedIndexes[index].columns.contains { $0.column == slot }
                },
                combinations: layout.combinations.indices.filter {
                    layout.combinations[$0].columns.contains { $0.column == slot }
                },
                readers: derivations.indices.filter {
                    derivations[$0].members == table
                        && (derivations[$0].value?.column == slot
                            || derivations[$0].condition == slot)
                },
                derivations: derivations.indices.filter {
                    derivations[$0].owners == table && derivations[$0].relationship == slot
                })
            return followers.isEmpty ? nil : followers
        }
    }
}
