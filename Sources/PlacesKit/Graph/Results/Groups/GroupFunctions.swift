import Foundation

/// What a request for groups says, with all that it asks of a group in one value.
struct GroupFunctions<Object: ManagedObject, Key: Hashable & Sendable, Values> {
    let objects: FetchRequest<Object>
    let window: Range<Int>
    let key: (any KeyPath<Object, Key> & Sendable)?
    /// What is kept for each group.
    let kinds: [AggregateKind]
    /// Makes the values of a group of what was kept.
    let values: ([Datum]) -> Values
    /// What a group is ordered by.
    let ranks: (Key, Values) -> [any GroupRanking]
    /// Whether a group is one that is asked for.
    let isShown: (Key, Values) -> Bool
    let isSame: (Values, Values) -> Bool
    /// Asks for all groups.
    let ask: (GraphReading) throws(ContextError) -> [(key: Key, values: Values)]
}

// NB: A class of a parameter pack that does all this itself crashes the compiler (Swift 6.3).

extension GroupRequest {
    /// What the request says.
    var functions: GroupFunctions<Object, Key, (repeat each Value)> {
        var kinds: [AggregateKind] = []
        for aggregate in repeat each aggregates { kinds.append(aggregate.kind) }
        return GroupFunctions(
            objects: objects, window: window, key: key, kinds: kinds,
            values: { datums in
                var remaining = datums[...]
                func next() -> Datum { remaining.popFirst() ?? .null }
                return (repeat (each aggregates).value(next()))
            },
            ranks: { key, values in orders.map { $0.rank(key, repeat each values) } },
            isShown: { key, values in
                conditions.allSatisfy { $0.holds(key, repeat each values) }
            },
            isSame: { left, right in
                for (aggregate, left, right) in repeat (each aggregates, each left, each right) {
                    guard aggregate.isSame(left, right) else { return false }
                }
                return true
            },
            ask: { (reading) throws(ContextError) in
                let (table, positions) = try reading.table(of: self)
                return positions.map { position in
                    (table.keys[position], (repeat (each table.values)[position]))
                }
            })
    }
}

extension GroupFunctions where Key == ObjectID {
    /// All objects of a request as one group, told by the first of them.
    static func whole<each Value: Sendable>(
        _ request: FetchRequest<Object>, _ aggregates: repeat Aggregate<Object, each Value>
    ) -> GroupFunctions where Values == (repeat each Value) {
        let groups = GroupRequest(
            of: request, by: identity(of: Object.self), repeat each aggregates
        ).functions
        return GroupFunctions(
            objects: request, window: 0..<1, key: groups.key, kinds: groups.kinds,
            values: groups.values, ranks: { _, _ in [] }, isShown: { _, _ in true },
            isSame: groups.isSame,
            ask: { (reading) throws(ContextError) in
                let rows = try reading.rows(of: request)
                guard !rows.isEmpty else { return [] }
                let number = try reading.entity(of: Object.self).number
                let grouping = Grouping(
                    reading: reading, entity: number, rows: rows,
                    groups: RowGroups(whole: rows.count))
                let values = (repeat (each aggregates).values(grouping)[0])
                return [(ObjectID(entity: "", number: 0), values)]
            })
    }
}

// NB: A key path literal among parameter packs stops the program (Swift 6.3).

/// The key path of an object's identifier.
private func identity<Object: ManagedObject>(
    of type: Object.Type
) -> any KeyPath<Object, ObjectID> & Sendable {
    \Object.objectID
}
