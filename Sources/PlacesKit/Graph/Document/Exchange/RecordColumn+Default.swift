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
        let place = layout.entities[number]
        var names = [place.slot(named: "id", in: layout) == nil ? "id" : "objectID"]
        for slot in place.slots {
            let property = layout.tables[place.table].properties[slot]
            guard let relationship = property.relationship else {
                if property.isStored { names.append(property.name) }
                continue
            }
            switch layout.tables[place.table].relationships[slot] {
            case .toOne: break
            // Only one end of a relationship needs to tell of a link; and a list is no plain field.
            case .oneToOne(let other) where (place.table, slot) < (other.table, other.column):
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
        guard let place = self.entity(named: entity) else { return nil }
        return place.slots.lazy.compactMap { self.tables[place.table].properties[$0].attribute }
            .first { $0.isUnique && !$0.isOptional && $0.derivation == nil && !$0.isTransient }?
            .name
    }
}
