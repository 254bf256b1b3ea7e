import Foundation

/// The rows of some objects in groups, as aggregates see them.
struct Grouping {
    let reading: GraphReading
    let entity: Int
    let rows: ContiguousArray<Row>
    let groups: RowGroups

    private var table: TableNumber { reading.model.layout.entities[entity].table }

    /// The numbers of objects.
    var counts: [Int] { Array(groups.counts) }

    /// The identifiers of the first objects.
    func identifiers(first limit: Int) -> [[ObjectID]] {
        let (starts, rows) = groups.grouped(rows)
        return zip(starts, starts.dropFirst()).map { start, end in
            rows[start..<end].prefix(limit).map { reading.graph.objectID($0, in: table) }
        }
    }

    /// The numbers of different values; no value does not count.
    func distinctCounts<Object: AnyObject, Value: Hashable>(
        of keyPath: KeyPath<Object, Value>
    ) -> [Int] {
        let values = reading.grouping(of: rows, by: keyPath, of: entity)
        return Array(groups.distinctCounts(of: values))
    }

    /// The sums of a number.
    func sums<Object: AnyObject, Value: AttributeValue>(
        of keyPath: KeyPath<Object, Value>
    ) -> GroupSums {
        if let (slot, targets, end) = attribute(keyPath),
            let sums = reading.graph.sums(of: groups, targets, slot, in: end)
        {
            return sums
        }
        let values = reading.values(of: keyPath, rows, of: entity)
        return GroupSums(of: values.map(\.datum), in: groups)
    }

    /// The least values, or the greatest; where no object of a group has one, what they have instead.
    func extremes<Object: AnyObject, Value: AttributeValue>(
        of keyPath: KeyPath<Object, Value>, greatest: Bool
    ) -> [Value] {
        let positions: ContiguousArray<Int>
        if isOrderedAsStored(Value.self) || !Value.isComparable,
            let (slot, targets, end) = attribute(keyPath)
        {
            positions = reading.graph.extremes(
                of: groups, targets, slot, in: end, greatest: greatest)
        } else {
            positions = extremes(
                reading.values(of: keyPath, rows, of: entity).map { $0 as? any Comparable },
                greatest: greatest)
        }
        let best = zip(positions, groups.firsts).map { rows[$0 < 0 ? $1 : $0] }
        return reading.values(of: keyPath, ContiguousArray(best), of: entity)
    }

    /// The slot of the attribute that a key path leads to, and the rows that have it.
    private func attribute(
        _ keyPath: AnyKeyPath
    ) -> (slot: Slot, rows: ContiguousArray<Row>, table: TableNumber)? {
        guard case .property(let path)? = reading.model.resolve(keyPath) else { return nil }
        let (rows, end) = reading.graph.targets(of: path.dropLast(), rows, in: table)
        return (path[path.count - 1], rows, end)
    }

    /// Where the extremes of values are that were read from objects.
    private func extremes(
        _ values: [(any Comparable)?], greatest: Bool
    ) -> ContiguousArray<Int> {
        var positions = ContiguousArray(repeating: -1, count: groups.count)
        for (position, value) in values.enumerated() {
            guard let value else { continue }
            let group = Int(groups.numbers[position])
            if positions[group] >= 0, let best = values[positions[group]],
                !(greatest ? best.isLess(than: value) : value.isLess(than: best))
            {
                continue
            }
            positions[group] = position
        }
        return positions
    }
}

extension Comparable {
    /// Whether this comes before another value, of the same type; what is not a number comes after all
    /// that is.
    fileprivate func isLess(than other: any Comparable) -> Bool {
        (other as? Self).map { SortOrder.forward.compare(self, $0) == .orderedAscending }
            ?? false
    }
}

extension AttributeValue {
    /// Whether values, or those that an optional wraps, have an order of their own.
    static var isComparable: Bool {
        self is any Comparable.Type
            || ((self as? any OptionalValue.Type)?.wrappedType as? any AttributeValue.Type)?
                .isComparable == true
    }
}
