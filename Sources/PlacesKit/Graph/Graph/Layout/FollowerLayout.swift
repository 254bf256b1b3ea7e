/// Lays out what follows the columns of a schema's tables: indexes and derived attributes.
struct FollowerLayout {
    let schema: Schema
    private(set) var tables: [TableLayout]
    let entities: [EntityLayout]
    private(set) var derivations: [DerivationLayout] = []
    private(set) var paths: [[ColumnAddress]] = []
    private(set) var orders: [OwnOrder?] = []
    private(set) var computations: [(sources: [Slot], computation: DerivedComputation)?] = []

    mutating func layOut() {
        for entity in schema.entities.indices {
            layOutIndexes(of: entity)
            layOutDerivations(of: entity)
        }
        for table in tables.tableNumbers { layOutFollowers(of: table) }
    }

    /// The slot, in its table, of the property of a name that an entity has.
    private func slot(_ name: String, of entity: Int) -> Slot? {
        let layout = entities[entity]
        return layout.slots.first { tables[layout.table].properties[$0].name == name }
    }

    /// How the property of a name that an entity has is ordered; `nil` for a to-many relationship.
    private func indexedColumn(_ name: String, of entity: Int) -> IndexedColumn? {
        guard let slot = slot(name, of: entity) else { return nil }
        let table = entities[entity].table
        let property = tables[table].properties[slot]
        guard property.relationship?.isToMany != true else { return nil }
        return IndexedColumn(
            column: slot, kind: tables[table].columns[slot].kind,
            isOptional: property.attribute?.isOptional ?? true)
    }

    private mutating func layOutIndexes(of entity: Int) {
        let (description, table) = (schema.entities[entity], entities[entity].table)
        let single = description.attributes.filter(\.isIndexed).map { [$0.name] }
        for names in single + description.indexes {
            let columns = names.compactMap { indexedColumn($0, of: entity) }
            if columns.isEmpty { continue }
            tables[table].orderedIndexes.append(
                OrderedIndexLayout(
                    columns: columns, isPartial: description.partialIndexes.contains(names)))
        }
        for names in description.spatialIndexes {
            let columns = names.compactMap { indexedColumn($0, of: entity) }
            if columns.count != 2 { continue }
            tables[table].orderedIndexes.append(
                OrderedIndexLayout(columns: columns, isSpatial: true))
        }
        for attribute in description.attributes
        where attribute.isSearchable && attribute.type == .string {
            guard let column = indexedColumn(attribute.name, of: entity) else { continue }
            tables[table].wordIndexes.append(WordIndexLayout(column: column))
        }
        let kinds = RowKinds(of: entities[entity], in: tables[table])
        for attribute in description.attributes
        where attribute.isUnique && attribute.derivation != nil {
            // Rows of other classes hold what such a column begins with.
            if let slot = slot(attribute.name, of: entity) {
                tables[table].uniqueKinds[slot] = kinds
            }
        }
        for names in description.uniqueConstraints {
            tables[table].combinations.append(
                CombinationLayout(
                    columns: names.compactMap { indexedColumn($0, of: entity) }, kinds: kinds))
            tables[table].clashPolicies.append(description.clashPolicies[names] ?? .fail)
        }
    }

    /// Where relationships of these names lie, each of the entity that the one before leads to, and where
    /// the last one leads.
    private func path(
        _ names: [String], from entity: Int
    ) -> (columns: [ColumnAddress], destination: Int)? {
        var (columns, current): ([ColumnAddress], Int) = ([], entity)
        for name in names {
            let table = entities[current].table
            guard let slot = slot(name, of: current),
                let destination = tables[table].properties[slot].relationship?.destination,
                let next = schema.number(named: destination)
            else { return nil }
            columns.append(ColumnAddress(table: table, column: slot))
            current = next
        }
        return (columns, current)
    }

    private mutating func layOutDerivations(of entity: Int) {
        let table = entities[entity].table
        for property in schema.entities[entity].properties {
            guard let derivation = property.derivation,
                let slot = slot(property.name, of: entity),
                let (path, members) = path(derivation.path, from: entity)
            else { continue }
            paths.append(derivation.function == .value ? path : [])
            computations.append(
                derivation.computation.map { computation in
                    (derivation.sources.compactMap { self.slot($0, of: entity) }, computation)
                })
            let value = derivation.property.flatMap { indexedColumn($0, of: members) }
            let attribute = value.flatMap {
                tables[entities[members].table].properties[$0.column].attribute
            }
            let isExtreme = [.minimum, .maximum].contains(derivation.function)
            // Different values may be equal in an order, and still count as two.
            orders.append(
                isExtreme
                    ? attribute?.order ?? attribute?.allowedValues.map(OwnOrder.init(listed:)) : nil
            )
            let accumulator = tables[table].columns.slots.upperBound
            for kind in derivation.function.accumulators(for: value?.kind) {
                tables[table].columns.append(Column(kind))
            }
            tables[table].derivations.append(derivations.count)
            if derivation.function.isOrdered { tables[table].memberIndexCount += 1 }
            derivations.append(
                DerivationLayout(
                    function: derivation.function, owners: table, slot: slot,
                    relationship: path.first?.column ?? slot, members: entities[members].table,
                    value: value,
                    isUnsigned: attribute?.type == .uint64,
                    condition: derivation.condition.flatMap { self.slot($0, of: members) },
                    accumulator: accumulator,
                    index: derivation.function.isOrdered
                        ? tables[table].memberIndexCount - 1 : nil,
                    entity: entity, isOfWholeTable: entities[entity].isWholeTable))
        }
    }

    private mutating func layOutFollowers(of table: TableNumber) {
        tables[table].followers = tables[table].properties.slots.map { slot in
            let followers = ColumnFollowers(of: ColumnAddress(table: table, column: slot), in: self)
            return followers.isEmpty ? nil : followers
        }
    }
}
