public import Foundation

/// Where a sort puts the objects that have no value, whatever its direction.
public enum NilPosition: Hashable, Sendable {
    /// Before all values.
    case first
    /// After all values.
    case last

    /// Whether `nil` is then the greatest value of all.
    fileprivate func isGreatest(_ order: SortOrder) -> Bool {
        (self == .last) == (order == .forward)
    }
}

extension SortDescriptor {
    /// Sorts in the order of columns, which indexes have, text too: Foundation's own initializer for text compares as the
    /// Finder does on Apple's platforms.
    package init<Value: AttributeValue & Comparable>(
        stored keyPath: any KeyPath<Compared, Value> & Sendable, order: SortOrder = .forward
    ) {
        // Of any type here, so that it is the initializer for any value.
        self.init(keyPath, order: order)
    }

    /// Sorts by a value that may be missing, and says where the objects without it come.
    ///
    /// ```swift
    /// SortDescriptor(\Photo.lastViewed, order: .forward, nils: .last)
    /// ```
    ///
    /// A descriptor that puts `nil` elsewhere than Foundation does has the opposite `order`, and turns
    /// the values round.
    ///
    /// - Parameters:
    ///   - keyPath: The value to sort by.
    ///   - order: Ascending or descending.
    ///   - nils: Where objects come that have no value.
    public init<Value: AttributeValue & Comparable>(
        _ keyPath: any KeyPath<Compared, Value?> & Sendable, order: SortOrder = .forward,
        nils: NilPosition
    ) {
        if nils.isGreatest(order) {
            self.init(
                keyPath, comparator: ComparableComparator<Value>(), order: order, nils: nils)
        } else {
            self.init(keyPath, order: order)
        }
    }

    /// Sorts by a truth value: false before true, and true first with `.reverse`.
    ///
    /// ```swift
    /// SortDescriptor(\Photo.isFavorite, order: .reverse)
    /// ```
    public init(_ keyPath: any KeyPath<Compared, Bool> & Sendable, order: SortOrder = .forward) {
        self.init(keyPath, comparator: TruthComparator(), order: order)
    }

    /// Sorts by a truth value that may be missing: false before true.
    ///
    /// - Parameters:
    ///   - keyPath: The value to sort by.
    ///   - order: Ascending or descending.
    ///   - nils: Where objects come that have no value; by default before all values if `order` is
    ///     `.forward`, and after them if it is `.reverse`.
    public init(
        _ keyPath: any KeyPath<Compared, Bool?> & Sendable, order: SortOrder = .forward,
        nils: NilPosition? = nil
    ) {
        self.init(keyPath, comparator: TruthComparator(), order: order, nils: nils)
    }

    /// Sorts by a value as a comparator of your own compares it.
    ///
    /// ```swift
    /// struct ByLength: SortComparator {
    ///     var order = SortOrder.forward
    ///
    ///     func compare(_ left: String, _ right: String) -> ComparisonResult {
    ///         ComparableComparator(order: order).compare(left.count, right.count)
    ///     }
    /// }
    ///
    /// let descriptor = SortDescriptor(\Photo.title, comparator: ByLength())
    /// ```
    ///
    /// - PlacesKit asks the comparator about values only, so lists in such an order are live like any.
    /// - Its answers must agree with each other and stay the same, as for Swift's `sort`: a list in an
    ///   order that contradicts itself has some order, and a live one asks for all when it notices.
    ///
    /// - Parameters:
    ///   - keyPath: The value to sort by.
    ///   - comparator: Compares two values, in the comparator's own direction.
    ///   - order: `.reverse` turns around what the comparator says.
    public init<Comparator: SortComparator & Sendable>(
        _ keyPath: any KeyPath<Compared, Comparator.Compared> & Sendable, comparator: Comparator,
        order: SortOrder = .forward
    ) where Comparator.Compared: AttributeValue {
        let value = ValueOrder(base: BaseKeyPath(keyPath: keyPath), comparator: comparator)
        self.init(keyPath.appendingSendable(\.[in: value]), order: order)
    }

    /// Sorts by a value that may be missing as a comparator of your own compares it.
    ///
    /// - Parameters:
    ///   - keyPath: The value to sort by.
    ///   - comparator: Compares two values, in the comparator's own direction.
    ///   - order: `.reverse` turns around what the comparator says.
    ///   - nils: Where objects come that have no value; by default before all values if `order` is
    ///     `.forward`, and after them if it is `.reverse`.
    public init<Comparator: SortComparator & Sendable>(
        _ keyPath: any KeyPath<Compared, Comparator.Compared?> & Sendable, comparator: Comparator,
        order: SortOrder = .forward, nils: NilPosition? = nil
    ) where Comparator.Compared: AttributeValue {
        let isInverted = nils?.isGreatest(order) ?? false
        let value = ValueOrder(
            base: BaseKeyPath(keyPath: keyPath), comparator: comparator, isInverted: isInverted)
        self.init(
            keyPath.appendingSendable(\.[maybeIn: value]),
            order: (order == .forward) != isInverted ? .forward : .reverse)
    }
}
