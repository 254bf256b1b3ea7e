public import Foundation

/// Which groups of objects to make, what each comes to, and which of them to give in which order.
///
/// ```swift
/// let request = GroupRequest(by: \Photo.takenAt?.region, .count, .countDistinct(\.takenBy))
///     .having { region, photos, photographers in photos >= 10 }
///     .sorted(.reverse) { region, photos, photographers in photographers }
///     .sorted { region, photos, photographers in region }
///     .limited(to: 50)
/// for (region, photos, photographers) in try context.groups(request) { … }
/// ```
///
/// - The key is an attribute, also across to-one relationships, a number of members, an identifier
///   (`\.takenAt?.objectID`) or anything else that an object has to say. No value is a key too; zeros of
///   either sign, canonically equivalent texts, and all that is not a number are one.
/// - Groups come in the order in which their first objects do, unless they are sorted.
public struct GroupRequest<
    Object: ManagedObject, Key: Hashable & Sendable, each Value: Sendable
>: Sendable {
    /// The objects that are grouped.
    public var objects: FetchRequest<Object>
    /// How many groups to give at most; `nil` for all.
    public var limit: Int?
    /// How many of the groups to skip.
    public var offset = 0
    /// Groups the rows of objects of an entity.
    let grouping: Grouper
    let aggregates: (repeat Aggregate<Object, each Value>)
    typealias Grouper =
        @Sendable (GraphReading, ContiguousArray<Int32>, Int) -> (
            groups: RowGroups, keys: [Key]
        )
    var conditions: [GroupCondition<Key, repeat each Value>] = []
    var orders: [GroupOrder<Key, repeat each Value>] = []

    /// Describes groups.
    ///
    /// - Parameters:
    ///   - objects: The objects that are grouped; all of the class by default.
    ///   - key: What the objects of a group have in common.
    ///   - aggregates: What is made of the objects of a group.
    public init(
        of objects: FetchRequest<Object> = FetchRequest(),
        by key: any KeyPath<Object, Key> & Sendable,
        _ aggregates: repeat Aggregate<Object, each Value>
    ) {
        self.init(of: objects, (repeat each aggregates)) { reading, rows, entity in
            reading.groups(of: rows, by: key, of: entity)
        }
    }

    init(
        of objects: FetchRequest<Object>, _ aggregates: (repeat Aggregate<Object, each Value>),
        grouping: @escaping Grouper
    ) {
        self.objects = objects
        self.aggregates = aggregates
        self.grouping = grouping
    }

    /// The request for those of the groups that satisfy a condition besides.
    public func having(
        _ condition: @escaping @Sendable (Key, repeat each Value) -> Bool
    ) -> GroupRequest {
        var request = self
        request.conditions.append(GroupCondition(holds: condition))
        return request
    }

    /// The request for the groups in the order of a value, after the orders that were asked for before.
    ///
    /// No value comes before every value.
    ///
    /// - Parameters:
    ///   - order: Up or down.
    ///   - value: Makes the value of a group; it is called once for each.
    /// - Returns: The request with the order.
    public func sorted<Order: Comparable & Sendable>(
        _ order: SortOrder = .forward,
        by value: @escaping @Sendable (Key, repeat each Value) -> Order?
    ) -> GroupRequest {
        var request = self
        request.orders.append(
            GroupOrder { table in GroupComparison(table.map(value), order) })
        return request
    }

    /// The request for so many groups at most.
    public func limited(to limit: Int) -> GroupRequest {
        var request = self
        request.limit = limit
        return request
    }

    /// The positions of the window within all groups.
    var window: Range<Int> { FetchRequest<Object>(limit: limit, offset: offset).window }
}

// NB: The compiler cannot put functions of parameter packs into an array as they are.

/// Which groups to give.
struct GroupCondition<Key, each Value>: Sendable {
    let holds: @Sendable (Key, repeat each Value) -> Bool
}

/// What compares groups, once the values of all are there.
struct GroupOrder<Key, each Value>: Sendable {
    let comparison: @Sendable (GroupTable<Key, repeat each Value>) -> GroupComparison
}

/// What was made of groups, in columns.
struct GroupTable<Key, each Value> {
    let keys: [Key]
    let values: (repeat [each Value])

    /// What a function makes of each group.
    func map<Result>(_ body: (Key, repeat each Value) -> Result) -> [Result] {
        var results: [Result] = []
        results.reserveCapacity(keys.count)
        for (group, key) in keys.enumerated() {
            results.append(body(key, repeat (each values)[group]))
        }
        return results
    }

    /// A group as a tuple.
    subscript(group: Int) -> (Key, repeat each Value) {
        (keys[group], repeat (each values)[group])
    }
}

/// Compares groups, given by their numbers, by a value of each.
struct GroupComparison {
    /// How two groups compare, the direction included.
    let compare: (Int, Int) -> ComparisonResult

    init<Value: Comparable>(_ values: [Value?], _ order: SortOrder) {
        compare = { a, b in
            let result: ComparisonResult =
                switch (values[a], values[b]) {
                case (nil, nil): .orderedSame
                case (nil, _): .orderedAscending
                case (_, nil): .orderedDescending
                case (let left?, let right?):
                    left < right
                        ? .orderedAscending : right < left ? .orderedDescending : .orderedSame
                }
            return order == .forward ? result : result.reversed
        }
    }
}
