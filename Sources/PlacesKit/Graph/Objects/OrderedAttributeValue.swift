import Foundation

/// A value with the order in which a sort descriptor compares it.
protocol OrderedValue {
    /// The value itself.
    var unwrapped: Any { get }
    /// How data of such values compare; `nil` where as their columns do.
    var comparator: (any DatumComparator)? { get }
    /// Whether the values compare the other way round.
    var isInverted: Bool { get }
}

/// Whether a type is that of values with an order, or of what may be one.
func isOrderedValue(_ type: Any.Type) -> Bool {
    ((type as? any OptionalValue.Type)?.wrappedType ?? type) is any OrderedValue.Type
}

/// How a sort descriptor compares the values at the end of its key path.
struct ValueOrder<Comparator: SortComparator & Sendable>: Hashable, Sendable {
    let comparator: Comparator
    /// Whether the values compare the other way round: for a descriptor that is itself turned round, so
    /// that `nil` changes its place and nothing else does.
    ///
    /// A broken chain of optionals gives `nil`, whatever is appended to its key path, and Foundation
    /// alone compares that.
    var isInverted = false
}

/// An attribute's value that compares as a comparator has it.
struct OrderedAttributeValue<Comparator: SortComparator & Sendable>: Comparable
where Comparator.Compared: AttributeValue {
    fileprivate let value: Comparator.Compared
    fileprivate let order: ValueOrder<Comparator>

    private func compare(_ other: Self) -> ComparisonResult {
        let result = order.comparator.compare(value, other.value)
        return order.isInverted ? result.reversed : result
    }

    static func == (left: Self, right: Self) -> Bool { left.compare(right) == .orderedSame }

    static func < (left: Self, right: Self) -> Bool { left.compare(right) == .orderedAscending }
}

extension OrderedAttributeValue: OrderedValue {
    var unwrapped: Any { value }
    var comparator: (any DatumComparator)? { order.comparator.ofData }
    var isInverted: Bool { order.isInverted }
}

extension AttributeValue {
    /// The value in an order.
    subscript<Comparator>(
        in order: ValueOrder<Comparator>
    ) -> OrderedAttributeValue<Comparator> where Comparator.Compared == Self {
        OrderedAttributeValue(value: self, order: order)
    }
}

extension Optional {
    /// The value in an order, if there is one.
    subscript<Comparator>(
        maybeIn order: ValueOrder<Comparator>
    ) -> OrderedAttributeValue<Comparator>? where Comparator.Compared == Wrapped {
        map { OrderedAttributeValue(value: $0, order: order) }
    }
}
