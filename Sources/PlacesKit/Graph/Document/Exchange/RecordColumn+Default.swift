extension RecordColumn {
    /// What is exported of an entity's objects where nobody says what.
    ///
    /// All that importing gives back: the identifier, what attributes store, and the links that the
    /// objects have themselves. A link is the unique attribute of the object that it leads to, if that
    /// always has one, so that it means the same in another document.
    static func standardNames(
        of number: Int, in graph: Graph, as format: ExchangeFormat
    ) -> [String] {
        let layout = graph.layout
        let entity = layout.entities[number]
        var names = [entity.slot(named: "id", in: layout) == nil ? "id" : "objectID"]
        for slot in entity.slots {
            let property = layout.tables[entity.table].properties[slot]
            guard property.isStored else { continue }
            guard let relationship = property.relationship else {
                names.append(property.name)
                continue
            }
            switch layout.tables[entity.table].relationships[slot] {
            case .toOne: break
            // Only one end of a relationship needs to tell of a link; and a list is no plain field.
            case .oneToOne(let other) where (entity.table, slot) < (other.table, other.column):
                break
            case .manyToMany(let own, _) where own.isFirst && format == .json: break
            case .oneToOne, .toMany, .manyToMany, nil: continue
            }
            names.append(
                graph.key(of: relationship.destination).map { "\(property.name).\($0)" }
                    ?? property.name)
        }
        return names
    }

    /// The columns of some names; the standard ones where there are none.
    static func columns(
        _ names: [String], of number: Int, in graph: Graph, as format: ExchangeFormat
    ) throws(PredicateFormatError) -> [RecordColumn] {
        let names = names.isEmpty ? standardNames(of: number, in: graph, as: format) : names
        var columns: [RecordColumn] = []
        for name in names { columns.append(try RecordColumn(name, of: number, in: graph)) }
        return columns
    }
}

extension Graph {
    /// The unique attribute that tells the objects of an entity apart; `nil` where none always does.
    fileprivate func key(of entity: String) -> String? {
        guard let entity = layout.entity(named: entity) else { return nil }
        let properties = layout.tables[entity.table].properties
        return entity.slots.first { slot in
            guard let attribute = properties[slot].attribute else { return false }
            return attribute.isUnique && !attribute.isOptional && attribute.derivation == nil
                && !attribute.isTransient && !holdsNaN(slot, in: entity.table)
        }.map { properties[$0].name }
    }

    /// Whether an object has what is not a number, which equals nothing, and so finds no object.
    private func holdsNaN(_ slot: Slot, in table: TableNumber) -> Bool {
        let column = tables[table].columns[slot]
        guard column.kind == .double else { return false }
        return rows(in: table).rows.contains {
            column.isValid(at: $0) && column.element(Double.self, at: $0).isNaN
        }
    }
}
