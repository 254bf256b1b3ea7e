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
                layout.key(of: relationship.destination).map { "\(property.name).\($0)" }
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

extension GraphLayout {
    /// The unique attribute that tells the objects of an entity apart; `nil` where none always does.
    fileprivate func key(of entity: String) -> String? {
        guard let layout = self.entity(named: entity) else { return nil }
        return layout.slots.lazy.compactMap { self.tables[layout.table].properties[$0].attribute }
            .first { $0.isUnique && !$0.isOptional && $0.derivation == nil && !$0.isTransient }?
            .name
    }
}
