/// The keys of a group, if objects are grouped by several keys.
///
/// ```swift
/// let request = GroupRequest(by: .keys(\Photo.takenAt?.name, \.isFavorite), .count)
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
            if !a.isSame(as: b) { return false }
        }
        return true
    }

    /// Hashes all values.
    public func hash(into hasher: inout Hasher) {
        for value in repeat each values {
            if value.isNotANumber { hasher.combine(0) } else { hasher.combine(value) }
        }
    }
}

extension GroupKeys: CustomStringConvertible {
    /// The values as text in parentheses, with quotation marks around strings.
    public var description: String {
        var texts: [String] = []
        for value in repeat each values {
            texts.append(
                (value as? any AttributeValue)?.datum.description
                    ?? String(carefullyDescribing: value))
        }
        return "(" + texts.joined(separator: ", ") + ")"
    }
}

extension GroupKey {
    /// Several properties: objects of a group have all their values in common.
    ///
    /// - Parameters:
    ///   - first: A property, as in ``value(_:)``.
    ///   - others: As many more as you like.
    /// - Returns: The key that they make together.
    public static func keys<First: Hashable & Sendable, each Other: Hashable & Sendable>(
        _ first: any KeyPath<Object, First> & Sendable,
        _ others: repeat any KeyPath<Object, each Other> & Sendable
    ) -> GroupKey where Value == GroupKeys<First, repeat each Other> {
        .keys(.value(first), repeat GroupKey<Object, each Other>.value(each others))
    }

    /// Several keys, such as a property and a day: objects of a group have all of them in common.
    ///
    /// - Parameters:
    ///   - first: A key.
    ///   - others: As many more as you like.
    /// - Returns: The key that they make together.
    public static func keys<First: Hashable & Sendable, each Other: Hashable & Sendable>(
        _ first: GroupKey<Object, First>, _ others: repeat GroupKey<Object, each Other>
    ) -> GroupKey where Value == GroupKeys<First, repeat each Other> {
        // NB: With nothing but a pack the compiler does not infer the class of the objects (Swift 6.3).
        var parts = first.parts
        for key in repeat each others { parts += key.parts }
        return GroupKey(
            parts: parts,
            groups: { reading, rows, entity in
                var groups = first.groups(reading, rows, entity)
                for key in repeat each others {
                    groups = groups.divided(by: key.groups(reading, rows, entity))
                }
                return groups
            },
            values: { reading, rows, entity in
                let firsts = first.values(reading, rows, entity)
                let columns = (repeat (each others).values(reading, rows, entity))
                return rows.indices.map { GroupKeys(firsts[$0], repeat (each columns)[$0]) }
            })
    }
}

extension GroupKey where Value == GroupKeys<> {
    /// Nothing: all objects are one group.
    static var nothing: GroupKey {
        GroupKey(
            parts: [], groups: { _, rows, _ in RowGroups(whole: rows.count) },
            values: { _, rows, _ in rows.map { _ in GroupKeys() } })
    }
}
