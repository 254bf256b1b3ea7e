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

/// A comparator of an attribute's type, which compares data.
struct ValueComparator<Comparator: SortComparator & Sendable>: DatumComparator
where Comparator.Compared: AttributeValue {
    let comparator: Comparator

    var name: String { String(describing: Comparator.self) }

    func compare(_ left: Datum, _ right: Datum) -> ComparisonResult {
        guard let left = value(left), let right = value(right) else { return .orderedSame }
        return comparator.compare(left, right)
    }

    func comparison(of data: ContiguousArray<Datum>) -> (Int, Int) -> ComparisonResult {
        let values = data.map(value)
        return { first, second in
            guard let left = values[first], let right = values[second] else {
                return .orderedSame
            }
            return comparator.compare(left, right)
        }
    }

    private func value(_ datum: Datum) -> Comparator.Compared? {
        datum.element(of: Comparator.Compared.Stored.self).map {
            Comparator.Compared(stored: $0, isValid: true)
        }
    }
}

extension Comparable where Self: AttributeValue {
    /// A comparator that asks the type itself.
    static var ownComparator: any DatumComparator {
        ValueComparator(comparator: ComparableComparator<Self>())
    }
}

/// A comparator that asks the values themselves.
private protocol OwnComparator<Compared> {
    associatedtype Compared
    /// How two values compare; what is not a number comes after all that is.
    func fullOrder(_ left: Compared, _ right: Compared) -> ComparisonResult
}

extension ComparableComparator: OwnComparator {
    fileprivate func fullOrder(_ left: Compared, _ right: Compared) -> ComparisonResult {
        order.compare(left, right)
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
