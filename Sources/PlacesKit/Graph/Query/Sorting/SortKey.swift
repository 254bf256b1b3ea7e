import Foundation

/// What rows are ordered by, first key first.
struct SortKey: Sendable {
    var operand: Operand
    var isAscending: Bool
    /// How values compare; `nil` for the order of numbers, and for text that of the bytes of its
    /// composed form.
    var comparator: (any DatumComparator)?
    /// Whether no value comes after every value going up, and first going down.
    var hasGreatestNil = false

    /// Whether no value comes first, the direction included.
    var hasNilFirst: Bool { isAscending != hasGreatestNil }

    /// How the values of two rows compare, the direction included.
    ///
    /// No value comes before every value, as Foundation's descriptors have it, unless the key says
    /// otherwise. What is not a number comes after every number: it has to come somewhere.
    func order(_ left: Datum, _ right: Datum) -> ComparisonResult {
        let order: ComparisonResult
        switch (left, right) {
        case (.null, .null): return .orderedSame
        case (.null, _): return hasNilFirst ? .orderedAscending : .orderedDescending
        case (_, .null): return hasNilFirst ? .orderedDescending : .orderedAscending
        default:
            if let comparator {
                order = comparator.compare(left, right)
            } else if let left = left.text, let right = right.text {
                order = left.canonicalOrder(to: right).order(to: 0)
            } else if let left = left.decimal, let right = right.decimal {
                order = left.order(to: right)
            } else if left.isNumber(ofOtherKindThan: right) {
                order = left.numericOrder(to: right)
            } else {
                order = left.orderedBits.order(to: right.orderedBits)
            }
        }
        return isAscending ? order : order.reversed
    }
}

extension ComparisonResult {
    /// The result with the sides exchanged.
    @inline(__always)
    var reversed: ComparisonResult {
        switch self {
        case .orderedAscending: .orderedDescending
        case .orderedSame: .orderedSame
        case .orderedDescending: .orderedAscending
        }
    }
}

extension Comparable {
    /// How this value compares with another.
    @inline(__always)
    func order(to other: Self) -> ComparisonResult {
        if self < other { return .orderedAscending }
        return other < self ? .orderedDescending : .orderedSame
    }
}

extension Datum {
    /// Whether two values are numbers, one of another kind than the other: a sum goes on as a `Double` where its kind
    /// has no room for it, and one of nothing is an integer.
    func isNumber(ofOtherKindThan other: Datum) -> Bool {
        switch (self, other) {
        case (.integer, .integer), (.unsigned, .unsigned), (.decimal, .decimal), (.double, .double):
            false
        default: isNumber && other.isNumber
        }
    }

    private var isNumber: Bool {
        switch self {
        case .integer, .unsigned, .decimal, .double: true
        case .null, .boolean, .string, .date, .uuid, .data: false
        }
    }

    /// How two numbers of any kinds compare; what is not a number comes after every number.
    func numericOrder(to other: Datum) -> ComparisonResult {
        if ComparisonOperator.less.holds(self, other) { return .orderedAscending }
        if ComparisonOperator.less.holds(other, self) { return .orderedDescending }
        switch (isNotANumber, other.isNotANumber) {
        case (true, false): return .orderedDescending
        case (false, true): return .orderedAscending
        case (true, true), (false, false): return .orderedSame
        }
    }

    /// Bits whose order is that of numbers, instants and truth values.
    var orderedBits: UInt64 {
        switch self {
        case .null, .decimal, .string, .uuid, .data: 0
        case .boolean(let value): value ? 1 : 0
        case .integer(let value): value.orderedBits
        case .unsigned(let value): value
        case .double(let value): value.orderedBits
        case .date(let value): value.timeIntervalSinceReferenceDate.orderedBits
        }
    }

    /// Text, or what is ordered like its text.
    var text: String? {
        switch self {
        case .string(let value): value
        case .uuid(let value): value.uuidString
        case .null, .boolean, .integer, .unsigned, .decimal, .double, .date, .data: nil
        }
    }

    /// A decimal number.
    var decimal: Decimal? {
        if case .decimal(let value) = self { value } else { nil }
    }
}
