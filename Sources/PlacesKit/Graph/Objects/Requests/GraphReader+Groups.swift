import Foundation

extension GraphReader {
    /// Computes the groups of a request, each a tuple of its key and its aggregates.
    ///
    /// - Throws: What `ManagedObjectContext.fetch` throws.
    /// - Complexity: One pass over the columns of the key and of each aggregate.
    public func groups<Object: ManagedObject, Key: Hashable & Sendable, each Value: Sendable>(
        _ request: GroupRequest<Object, Key, repeat each Value>
    ) throws(ContextError) -> [(Key, repeat each Value)] {
        let (table, positions) = try reading.table(of: request)
        return positions.map { table[$0] }
    }

    /// Computes aggregates of all objects of a request, as one group; `nil` without objects.
    ///
    /// ```swift
    /// let total = try context.aggregate(FetchRequest<Photo>(), .sum(\.views), .max(\.lastViewed))
    /// ```
    ///
    /// - Throws: What `ManagedObjectContext.fetch` throws.
    public func aggregate<Object: ManagedObject, each Value: Sendable>(
        _ request: FetchRequest<Object>, _ aggregates: repeat Aggregate<Object, each Value>
    ) throws(ContextError) -> (repeat each Value)? {
        let whole = GroupRequest(of: request, by: .nothing, repeat each aggregates)
        let (table, positions) = try reading.table(of: whole)
        return positions.first.map { (repeat (each table.values)[$0]) }
    }
}

extension GraphReading {
    /// The groups that a request makes, and which of them it gives, in their order.
    func table<Object: ManagedObject, Key: Hashable & Sendable, each Value: Sendable>(
        of request: GroupRequest<Object, Key, repeat each Value>
    ) throws(ContextError) -> (GroupTable<Key, repeat each Value>, ArraySlice<Int>) {
        let (number, _) = try entity(of: Object.self)
        let rows = try rows(of: request.objects)
        let groups = request.key.groups(self, rows, number)
        let firsts = ContiguousArray(groups.firsts.map { rows[$0] })
        let keys = request.key.values(self, firsts, number)
        let grouping = Grouping(reading: self, entity: number, rows: rows, groups: groups)
        let table = GroupTable(
            keys: keys, values: (repeat (each request.aggregates).values(grouping)))
        var positions = ContiguousArray(keys.indices)
        for condition in request.conditions {
            let holds = table.map(condition.holds)
            positions.removeAll { !holds[$0] }
        }
        let window = request.window
        if !request.orders.isEmpty {
            let orders = request.orders.map { $0.comparison(table) }
            positions = positions.smallest(Swift.min(window.upperBound, positions.count)) { a, b in
                orders.precedes(a, b) { $0.compare(a, b) }
            }
        }
        return (table, ArraySlice(positions[window.clamped(to: positions.indices)]))
    }
}
