/// The keys of a group that is made by several of them.
///
/// ```swift
/// let request = GroupRequest(by: \Photo.takenAt?.name, and: \.isFavorite, .count)
/// for (keys, count) in try context.groups(request) {
///     let (place, isFavorite) = keys.values
/// }
/// ```
///
/// Keys are equal where their values are; what is not a number equals itself.
public struct GroupKeys<each Value: Hashable & Sendable>: Hashable, Sendable {
    /// What the objects of the group have in common, in the order of the request's keys.
    public let values: (repeat each Value)

    /// Keys of some values.
    public init(_ values: repeat each Value) { self.values = (repeat each values) }

    /// Whether all values are equal, or both are not a number.
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
    ///   - objects: The objects that are grouped; all of the class by default.
    ///   - first: What the objects of a group have in common, as in the other initialiser.
    ///   - second: What they have in common besides.
    ///   - aggregates: What is made of the objects of a group.
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
    ///   - objects: The objects that are grouped; all of the class by default.
    ///   - first: What the objects of a group have in common, as in the other initialiser.
    ///   - second: What they have in common besides.
    ///   - third: And what besides that.
    ///   - aggregates: What is made of the objects of a group.
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
