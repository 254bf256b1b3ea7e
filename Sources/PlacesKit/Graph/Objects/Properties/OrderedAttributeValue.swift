import Foundation

/// A value with the order in which a sort descriptor compares it.
///
/// The value itself is at the end of another key path, to which the order was appended. Unlike that one, the
/// key path of the order is made anew each time, and means nothing that one would remember.
protocol OrderedValue {
    /// The key of a descriptor whose order is `.forward`, for what the base means in a model; `nil` where rows have
    /// no such value.
    ///
    /// - Throws: What is wrong with a descriptor that no objects can be sorted by.
    func sortKey(_ model: ObjectModel) throws(ContextError) -> SortKey?

    /// The key path of the value itself; `nil` where that is not what one would show.
    var shown: AnyKeyPath? { get }
}

extension OrderedValue {
    var shown: AnyKeyPath? { nil }
}

/// Whether a type is that of values with an order, or of what may be one.
func isOrderedValue(_ type: Any.Type) -> Bool {
    unwrapped(type) is any OrderedValue.Type
}

/// A key path to which another was appended.
struct BaseKeyPath: Hashable, Sendable {
    let keyPath: any AnyKeyPath & Sendable

    static func == (left: BaseKeyPath, right: BaseKeyPath) -> Bool {
        left.keyPath as AnyKeyPath == right.keyPath
    }

    func hash(into hasher: inout Hasher) { hasher.combine(keyPath as AnyKeyPath) }
}

/// How a sort descriptor compares the values at the end of its key path.
struct ValueOrder<Comparator: SortComparator & Sendable>: Hashable, Sendable {
    let base: BaseKeyPath
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
        let result = order.comparator.order(value, other.value)
        return order.isInverted ? result.reversed : result
    }

    static func == (left: Self, right: Self) -> Bool { left.compare(right) == .orderedSame }

    static func < (left: Self, right: Self) -> Bool { left.compare(right) == .orderedAscending }
}

extension OrderedAttributeValue: OrderedValue {
    var shown: AnyKeyPath? { order.base.keyPath }

    func sortKey(_ model: ObjectModel) -> SortKey? {
        model.resolve(order.base.keyPath)?.sorted.map {
            SortKey(
                operand: $0, isAscending: !order.isInverted, comparator: order.comparator.ofData,
                hasGreatestNil: order.isInverted)
        }
    }
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
