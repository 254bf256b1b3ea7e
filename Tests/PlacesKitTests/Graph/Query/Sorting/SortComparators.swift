import Foundation
import PlacesKit

/// Text by its length.
struct ByLength: SortComparator {
    var order: SortOrder = .forward

    func compare(_ left: String, _ right: String) -> ComparisonResult {
        let (left, right) = order == .forward ? (left, right) : (right, left)
        return ComparableComparator().compare(left.utf8.count, right.utf8.count)
    }
}

/// Values by what a key path gives for them.
struct By<Value: Sendable, Part: Comparable>: SortComparator {
    var part: any KeyPath<Value, Part> & Sendable
    var order: SortOrder = .forward

    init(_ part: any KeyPath<Value, Part> & Sendable) { self.part = part }

    func compare(_ left: Value, _ right: Value) -> ComparisonResult {
        ComparableComparator(order: order).compare(left[keyPath: part], right[keyPath: part])
    }

    static func == (left: Self, right: Self) -> Bool {
        left.part == right.part && left.order == right.order
    }

    func hash(into hasher: inout Hasher) { hasher.combine(part) }
}

/// Nothing that agrees with itself.
struct Nonsense: SortComparator {
    var order: SortOrder = .forward

    func compare(_ left: Int, _ right: Int) -> ComparisonResult {
        [.orderedAscending, .orderedDescending, .orderedSame][abs((left &* 7 ^ right &* 3) % 3)]
    }
}

/// Numbers, and then what is none.
struct NaNLast: SortComparator {
    var order: SortOrder = .forward

    func compare(_ left: Double, _ right: Double) -> ComparisonResult {
        left.isNaN || right.isNaN
            ? ComparableComparator().compare(left.isNaN ? 1 : 0, right.isNaN ? 1 : 0)
            : ComparableComparator().compare(left, right)
    }
}
