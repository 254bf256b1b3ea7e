/// The columns of a file, of which an object has those that its class has.
struct RecordColumns: Sendable {
    let names: [String]
    /// What the columns hold of the objects of a kind: nothing in those that their class does not have.
    let byKind: [Int32: [RecordColumn?]]

    /// The columns of some names; where there are none all that importing gives back, of subclasses as well.
    init(
        _ names: [String], of number: Int, in graph: Graph, as format: ExchangeFormat
    ) throws(PredicateFormatError) {
        let entity = graph.layout.entities[number]
        guard names.isEmpty else {
            var columns: [RecordColumn?] = []
            for name in names { columns.append(try RecordColumn(name, of: number, in: graph)) }
            self.names = names
            byKind = Dictionary(uniqueKeysWithValues: entity.kinds.map { ($0, columns) })
            return
        }
        let table = graph.layout.tables[entity.table]
        let classes = entity.kinds.map { (kind: $0, number: table.entities[Int($0)]) }
        let hasID = classes.contains {
            graph.layout.entities[$0.number].slot(named: "id", in: graph.layout) != nil
        }
        var common = [hasID ? "objectID" : "id"]
        if classes.count > 1 {
            common.append(RecordColumn.isEntity("entity", in: table) ? "entity" : "objectID.entity")
        }
        var all = common
        var known = Set(all)
        var columns: [Int32: [String: RecordColumn]] = [:]
        for (kind, number) in classes {
            for name in common + RecordColumn.standardNames(of: number, in: graph, as: format) {
                columns[kind, default: [:]][name] = try RecordColumn(name, of: number, in: graph)
                if known.insert(name).inserted { all.append(name) }
            }
        }
        self.names = all
        byKind = columns.mapValues { own in all.map { own[$0] } }
    }
}

extension RecordColumn {
    /// What is exported of the objects of just one entity where nobody says what, besides identifier and class.
    ///
    /// All that importing gives back: what attributes store, and the links that the objects have themselves. A link is
    /// the unique attribute of the object that it leads to, if that always has one, so that it means the same in another
    /// document.
    fileprivate static func standardNames(
        of number: Int, in graph: Graph, as format: ExchangeFormat
    ) -> [String] {
        let layout = graph.layout
        let entity = layout.entities[number]
        var names: [String] = []
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
