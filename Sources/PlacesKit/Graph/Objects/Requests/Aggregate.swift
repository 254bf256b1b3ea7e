/// A value computed from the objects of a group, such as a count or a sum.
///
/// ```swift
/// GroupRequest(by: \Photo.takenAt?.name, .count, .countDistinct(\.takenBy), .max(\.lastViewed))
/// ```
///
/// - A key path leads to an attribute (also across to-one relationships), to a number of members,
///   or to any other property of the class. The last kind takes longer.
/// - An optional chain names the class: `.max(\Photo.takenAt?.name)`. The compiler cannot infer it.
/// - All aggregates except ``count`` and ``identifiers`` ignore objects that have no value.
public struct Aggregate<Object: AnyObject, Value: Sendable>: Sendable {
    // NB: `Object` is not declared a managed object, for the compiler would then take it for just that
    // where it has yet to be inferred.
    /// Makes a value for each group.
    let values: @Sendable (Grouping) -> [Value]
    /// What is to be kept so that the value follows changes.
    let kind: AggregateKind
    /// The value of a group, from what was kept for it.
    let value: @Sendable (inout KeptValues) -> Value
    /// Whether two values are the same: all that is not a number is.
    let isSame: @Sendable (Value, Value) -> Bool
}

extension Aggregate where Value: AttributeValue {
    fileprivate init(
        _ kind: AggregateKind, _ values: @escaping @Sendable (Grouping) -> [Value]
    ) {
        self.values = values
        self.kind = kind
        value = { Value($0.next()) }
        isSame = { $0.datum.groupWord == $1.datum.groupWord }
    }
}

extension Aggregate where Value == Int {
    /// The number of objects.
    public static var count: Aggregate { Aggregate(.count) { $0.counts } }

    /// The number of different values of an attribute or a to-one relationship.
    public static func countDistinct<Property: Hashable & SendableMetatype>(
        _ keyPath: any KeyPath<Object, Property> & Sendable
    ) -> Aggregate {
        Aggregate(.countDistinct(keyPath)) { $0.distinctCounts(of: keyPath) }
    }
}

extension Aggregate where Value == [ObjectID] {
    /// The identifiers of the objects of a group, in the order of the request for them.
    ///
    /// ```swift
    /// for (day, photos) in try context.groups(GroupRequest(by: .day(\Photo.dateUploaded), .identifiers)) {
    ///     list.append(context.objects(Photo.self, with: photos))
    /// }
    /// ```
    /// In ``LiveGroups`` a group is updated when objects come to it, leave it or change places. That takes
    /// O(m) for the m objects of a group that is touched; see ``identifiers(first:)``.
    public static var identifiers: Aggregate { identifiers(first: .max) }

    /// The identifiers of the first objects of a group, in the order of the request for them.
    ///
    /// - Parameter limit: How many at most, such as three pictures of each day.
    /// - Returns: The aggregate.
    public static func identifiers(first limit: Int) -> Aggregate {
        let limit = Swift.max(0, limit)
        return Aggregate(
            values: { $0.identifiers(first: limit) }, kind: .identifiers,
            value: { $0.identifiers(limit) }, isSame: ==)
    }
}

extension Aggregate {
    /// The sum of a number.
    ///
    /// If `Int` cannot hold a sum of integers, the result is the nearest `Int`. A sum of
    /// floating-point numbers is exact and rounded once, so it does not depend on their order.
    public static func sum<Number: AttributeNumber>(
        _ keyPath: any KeyPath<Object, Number> & Sendable
    ) -> Aggregate where Value == Number.Sum {
        let kind = Value.attributeType.columnKind
        return Aggregate(.sum(keyPath, kind)) { grouping in
            let sums = grouping.sums(of: keyPath)
            return grouping.groups.firsts.indices.map { Value(sums.sum(of: $0, as: kind)) }
        }
    }

    /// The average of a number: its sum, divided by the number of objects that have a value.
    public static func average<Number: AttributeNumber>(
        _ keyPath: any KeyPath<Object, Number> & Sendable
    ) -> Aggregate where Value == Number.Average {
        Aggregate(.average(keyPath)) { grouping in
            let sums = grouping.sums(of: keyPath)
            return grouping.groups.firsts.indices.map { group in
                Value(sums.average(of: group).map(Datum.double) ?? .null)
            }
        }
    }
}

extension Aggregate where Value: AttributeValue {
    /// The least value of an attribute; `nil` if it is optional and no object has one.
    ///
    /// NaN is greater than all numbers, in a `Decimal` less, as Foundation compares it. Text is ordered by
    /// the bytes of its composed form.
    public static func min(_ keyPath: any KeyPath<Object, Value> & Sendable) -> Aggregate {
        Aggregate(extreme(keyPath, greatest: false)) {
            $0.extremes(of: keyPath, greatest: false)
        }
    }

    /// The greatest value of an attribute; `nil` if it is optional and no object has one.
    public static func max(_ keyPath: any KeyPath<Object, Value> & Sendable) -> Aggregate {
        Aggregate(extreme(keyPath, greatest: true)) {
            $0.extremes(of: keyPath, greatest: true)
        }
    }

    private static func extreme(
        _ keyPath: any KeyPath<Object, Value> & Sendable, greatest: Bool
    ) -> AggregateKind {
        .extreme(
            keyPath, greatest: greatest,
            isStoredOrder: isOrderedAsStored(Value.self) || !Value.isComparable)
    }
}
