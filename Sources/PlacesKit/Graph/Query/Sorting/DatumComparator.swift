import Foundation

/// How a sort key compares values, where not by what their columns hold.
protocol DatumComparator: Sendable {
    /// What people call the comparator, the same in every process.
    var name: String { get }

    /// How two values compare, neither of which is `.null`.
    func compare(_ left: Datum, _ right: Datum) -> ComparisonResult

    /// How the values at two positions compare, which are converted only once.
    func comparison(of data: ContiguousArray<Datum>) -> (Int, Int) -> ComparisonResult
}

/// A comparator that makes ready what it compares: where many values are sorted, each only once.
protocol PreparingComparator<Compared>: SortComparator {
    func prepared(_ value: Compared) -> Compared

    /// How two values compare that were made ready.
    func comparePrepared(_ left: Compared, _ right: Compared) -> ComparisonResult
}

/// A comparator of an attribute's type, which compares data.
struct ValueComparator<Comparator: SortComparator & Sendable>: DatumComparator
where Comparator.Compared: AttributeValue {
    let comparator: Comparator
    /// How two values compare: asked for once, since to ask for a conformance takes longer than to compare.
    private let order: @Sendable (Comparator.Compared, Comparator.Compared) -> ComparisonResult

    init(comparator: Comparator) {
        self.comparator = comparator
        if let own = comparator as? any OwnComparator<Comparator.Compared> {
            order = { own.fullOrder($0, $1) }
        } else {
            order = { comparator.compare($0, $1) }
        }
    }

    var name: String { String(describing: Comparator.self) }

    func compare(_ left: Datum, _ right: Datum) -> ComparisonResult {
        compare(
            Comparator.Compared.value(of: left), Comparator.Compared.value(of: right),
            by: order)
    }

    func comparison(of data: ContiguousArray<Datum>) -> (Int, Int) -> ComparisonResult {
        let values = data.map(Comparator.Compared.value(of:))
        func comparison(
            _ comparator: some PreparingComparator<Comparator.Compared>
        ) -> (Int, Int) -> ComparisonResult {
            let values = values.map { $0.map(comparator.prepared) }
            return { compare(values[$0], values[$1], by: comparator.comparePrepared) }
        }
        return (comparator as? any PreparingComparator<Comparator.Compared>)
            .map { comparison($0) } ?? { compare(values[$0], values[$1], by: order) }
    }

    /// How two values compare; what is not saved need not be a value of the type, and comes first.
    @inline(__always)
    private func compare(
        _ left: Comparator.Compared?, _ right: Comparator.Compared?,
        by comparison: (Comparator.Compared, Comparator.Compared) -> ComparisonResult
    ) -> ComparisonResult {
        switch (left, right) {
        case (let left?, let right?): comparison(left, right)
        case (nil, nil): .orderedSame
        case (nil, _): .orderedAscending
        case (_, nil): .orderedDescending
        }
    }
}

extension Comparable where Self: AttributeValue {
    /// A comparator that asks the type itself.
    static var ownComparator: any DatumComparator {
        ValueComparator(comparator: ComparableComparator<Self>())
    }
}

extension OwnOrder {
    /// The order of a type, or of what one is an optional of; `nil` where there is none, or the columns have it.
    init?(of type: Any.Type) {
        let type = unwrapped(type)
        func own<Value: AttributeValue & Comparable>(_ type: Value.Type) -> OwnOrder {
            OwnOrder(
                type: ObjectIdentifier(type),
                compare: { SortOrder.forward.compare(type.value(of: $0), type.value(of: $1)) },
                comparing: { datum in
                    let value = type.value(of: datum)
                    return { SortOrder.forward.compare(value, type.value(of: $0)) }
                })
        }
        guard !isOrderedAsStored(type),
            let order = (type as? any (AttributeValue & Comparable).Type).map({ own($0) })
        else { return nil }
        self = order
    }
}

/// A comparator that asks the values themselves.
private protocol OwnComparator<Compared>: Sendable {
    associatedtype Compared
    /// How two values compare; what is not a number comes after all that is.
    func fullOrder(_ left: Compared, _ right: Compared) -> ComparisonResult
}

extension ComparableComparator: OwnComparator {
    fileprivate func fullOrder(_ left: Compared, _ right: Compared) -> ComparisonResult {
        order.compare(left, right)
    }
}

/// Compares truth values, which Swift does not: false comes before true, as in their columns.
struct TruthComparator: SortComparator, OwnComparator {
    var order = SortOrder.forward

    func compare(_ left: Bool, _ right: Bool) -> ComparisonResult { fullOrder(left, right) }

    fileprivate func fullOrder(_ left: Bool, _ right: Bool) -> ComparisonResult {
        order.compare(left ? 1 : 0, right ? 1 : 0)
    }
}

extension SortComparator {
    /// How two values compare; in their own order, what is not a number comes after all that is.
    func order(_ left: Compared, _ right: Compared) -> ComparisonResult {
        (self as? any OwnComparator<Compared>)?.fullOrder(left, right) ?? compare(left, right)
    }
}

extension SortComparator where Self: Sendable, Compared: AttributeValue {
    /// The comparator as one of data; `nil` where it says what the columns say.
    var ofData: (any DatumComparator)? {
        self is any OwnComparator && order == .forward && isOrderedAsStored(Compared.self)
            ? nil : ValueComparator(comparator: self)
    }
}
