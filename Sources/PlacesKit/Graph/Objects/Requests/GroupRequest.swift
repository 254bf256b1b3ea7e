public import Foundation

/// Which groups of objects to make, what to compute for each, and which to return in which order.
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
/// - The key is an attribute (also across to-one relationships), a number of members, an identifier
///   (`\.takenAt?.objectID`), any other property of the class, or a ``GroupKey``: a day of a calendar,
///   several keys. `nil` is a key too. Zeros of
///   either sign, canonically equivalent texts, and all NaNs each are one key.
/// - Groups come in the order of their first objects, unless they are sorted.
public struct GroupRequest<
    Object: ManagedObject, Key: Hashable & Sendable, each Value: Sendable
>: Sendable {
    /// The objects to group.
    public var objects: FetchRequest<Object>
    /// The maximum number of groups to return; `nil` for all.
    public var limit: Int?
    /// The number of groups to skip.
    public var offset = 0
    let key: GroupKey<Object, Key>
    let aggregates: (repeat Aggregate<Object, each Value>)
    var conditions: [GroupCondition<Key, repeat each Value>] = []
    var orders: [GroupOrder<Key, repeat each Value>] = []

    /// Describes groups.
    ///
    /// - Parameters:
    ///   - objects: The objects to group; all of the class by default.
    ///   - key: The value that all objects of a group share.
    ///   - aggregates: What to compute from the objects of each group.
    public init(
        of objects: FetchRequest<Object> = FetchRequest(),
        by key: any KeyPath<Object, Key> & Sendable,
        _ aggregates: repeat Aggregate<Object, each Value>
    ) {
        self.init(of: objects, by: .value(key), repeat each aggregates)
    }

    /// Describes groups by a day, a month or another part of a calendar, or by several keys.
    ///
    /// ```swift
    /// GroupRequest(by: .keys(.day(\Photo.dateUploaded), .value(\.owner)), .count, .identifiers)
    /// ```
    /// - Parameters:
    ///   - objects: The objects to group; all of the class by default.
    ///   - key: What all objects of a group have in common.
    ///   - aggregates: What to compute from the objects of each group.
    public init(
        of objects: FetchRequest<Object> = FetchRequest(), by key: GroupKey<Object, Key>,
        _ aggregates: repeat Aggregate<Object, each Value>
    ) {
        self.objects = objects
        self.key = key
        self.aggregates = (repeat each aggregates)
    }

    /// Returns the request with a further condition that its groups must satisfy.
    public func having(
        _ condition: @escaping @Sendable (Key, repeat each Value) -> Bool
    ) -> GroupRequest {
        var request = self
        request.conditions.append(GroupCondition(holds: condition))
        return request
    }

    /// Returns the request with a further sort order for its groups, after the orders that it has.
    ///
    /// `nil` comes before every value, in reverse order after all.
    ///
    /// - Parameters:
    ///   - order: Ascending or descending.
    ///   - value: Computes the value by which a group is sorted; it is called once for each group.
    /// - Returns: The request with the order.
    public func sorted<Order: Comparable & Sendable>(
        _ order: SortOrder = .forward,
        by value: @escaping @Sendable (Key, repeat each Value) -> Order?
    ) -> GroupRequest {
        var request = self
        request.orders.append(
            GroupOrder(
                comparison: { table in GroupComparison(table.map(value), order) },
                rank: { (key: Key, values: repeat each Value) in
                    GroupRank(value: value(key, repeat each values), order: order)
                }))
        return request
    }

    /// Returns the request with a maximum number of groups.
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
    /// The same for groups that come one by one.
    let rank: @Sendable (Key, repeat each Value) -> any GroupRanking
}

/// A value that a group is ordered by, whatever its type.
protocol GroupRanking: Sendable {
    /// How this compares with the value of another group, the direction included.
    func compare(to other: any GroupRanking) -> ComparisonResult
}

/// A value that a group is ordered by, and the direction.
struct GroupRank<Value: Comparable & Sendable>: GroupRanking {
    let value: Value?
    let order: SortOrder

    func compare(to other: any GroupRanking) -> ComparisonResult {
        guard let other = other as? GroupRank else { return .orderedSame }
        return order.compare(value, other.value)
    }
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
        compare = { a, b in order.compare(values[a], values[b]) }
    }
}
