import Foundation

/// What a request for groups says, with all that it asks of a group in one value.
struct GroupFunctions<Object: ManagedObject, Key: Hashable & Sendable, Values> {
    let objects: FetchRequest<Object>
    let window: Range<Int>
    let key: GroupKey<Object, Key>
    /// What is kept for each group.
    let kinds: [AggregateKind]
    /// Makes the values of a group of what was kept.
    let values: (KeptValues) -> Values
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
            values: { kept in
                var kept = kept
                return (repeat (each aggregates).value(&kept))
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
