/// The keys of a group, if objects are grouped by several keys.
///
/// ```swift
/// let request = GroupRequest(by: \Photo.takenAt?.name, and: \.isFavorite, .count)
/// for (keys, count) in try context.groups(request) {
///     let (place, isFavorite) = keys.values
/// }
/// ```
///
/// Keys are equal if all their values are; NaN equals NaN.
public struct GroupKeys<each Value: Hashable & Sendable>: Hashable, Sendable {
    /// The values that all objects of the group share, in the order of the request's keys.
    public let values: (repeat each Value)

    /// Makes keys of values.
    public init(_ values: repeat each Value) { self.values = (repeat each values) }

    /// Whether all values are equal; NaN equals NaN.
    public static func == (left: GroupKeys, right: GroupKeys) -> Bool {
        for (a, b) in repeat (each left.values, each right.values) {
            if a != b, !isNotANumber(a) || !isNotANumber(b) { return false }
        }
        return true
    }

    /// Hashes all values.
    public func hash(into hasher: inout Hasher) {
        for value in repeat each values {
            if Self.isNotANumber(value) { hasher.combine(0) } else { hasher.combine(value) }
        }
    }

    private static func isNotANumber<Element: Equatable>(_ value: Element) -> Bool {
        value != value
    }
}

extension GroupRequest {
    /// Describes groups by two keys.
    ///
    /// - Parameters:
    ///   - objects: The objects to group; all of the class by default.
    ///   - first: The first key, as in the initialiser with one key.
    ///   - second: The second key.
    ///   - aggregates: What to compute from the objects of each group.
    public init<First, Second>(
        of objects: FetchRequest<Object> = FetchRequest(),
        by first: any KeyPath<Object, First> & Sendable,
        and second: any KeyPath<Object, Second> & Sendable,
        _ aggregates: repeat Aggregate<Object, each Value>
    ) where Key == GroupKeys<First, Second> {
        self.init(of: objects, (repeat each aggregates)) { reading, rows, entity in
            let groups = reading.grouping(of: rows, by: first, of: entity)
                .divided(by: reading.grouping(of: rows, by: second, of: entity))
            let rows = ContiguousArray(groups.firsts.map { rows[$0] })
            let firsts = reading.values(of: first, rows, of: entity)
            let seconds = reading.values(of: second, rows, of: entity)
            return (groups, rows.indices.map { GroupKeys(firsts[$0], seconds[$0]) })
        }
    }

    /// Describes groups by three keys.
    ///
    /// - Parameters:
    ///   - objects: The objects to group; all of the class by default.
    ///   - first: The first key, as in the initialiser with one key.
    ///   - second: The second key.
    ///   - third: The third key.
    ///   - aggregates: What to compute from the objects of each group.
    public init<First, Second, Third>(
        of objects: FetchRequest<Object> = FetchRequest(),
        by first: any KeyPath<Object, First> & Sendable,
        and second: any KeyPath<Object, Second> & Sendable,
        and third: any KeyPath<Object, Third> & Sendable,
        _ aggregates: repeat Aggregate<Object, each Value>
    ) where Key == GroupKeys<First, Second, Third> {
        self.init(of: objects, (repeat each aggregates)) { reading, rows, entity in
            let groups = reading.grouping(of: rows, by: first, of: entity)
                .divided(by: reading.grouping(of: rows, by: second, of: entity))
                .divided(by: reading.grouping(of: rows, by: third, of: entity))
            let rows = ContiguousArray(groups.firsts.map { rows[$0] })
            let firsts = reading.values(of: first, rows, of: entity)
            let seconds = reading.values(of: second, rows, of: entity)
            let thirds = reading.values(of: third, rows, of: entity)
            return (
                groups, rows.indices.map { GroupKeys(firsts[$0], seconds[$0], thirds[$0]) }
            )
        }
    }
}
