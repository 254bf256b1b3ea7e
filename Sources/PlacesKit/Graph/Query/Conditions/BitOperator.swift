/// What the bits of two whole numbers are made into.
enum BitOperator: Sendable {
    case and, or, exclusiveOr, shiftedLeft, shiftedRight

    /// The result, or `.null` where there is none: a side is no whole number, or the bits are shifted by
    /// less than 0 or more than 63.
    ///
    /// Bits that are shifted out of the 64 are lost.
    func apply(_ left: Datum, _ right: Datum) -> Datum {
        switch (left, right) {
        case (.integer(let a), .integer(let b)): result(a, b).map(Datum.integer) ?? .null
        case (.integer(let a), .unsigned(let b)) where isShift:
            Int64(exactly: b).flatMap { result(a, $0) }.map(Datum.integer) ?? .null
        case (.unsigned(let a), .integer(let b)) where isShift:
            UInt64(exactly: b).flatMap { result(a, $0) }.map(Datum.unsigned) ?? .null
        default:
            left.bits.flatMap { a in right.bits.flatMap { result(a, $0) } }
                .map(Datum.unsigned) ?? .null
        }
    }

    /// Whether the right side says how far the bits of the left one move.
    var isShift: Bool { self == .shiftedLeft || self == .shiftedRight }

    private func result<Number: FixedWidthInteger>(_ left: Number, _ right: Number) -> Number? {
        if isShift, !(0...63).contains(right) { return nil }
        return switch self {
        case .and: left & right
        case .or: left | right
        case .exclusiveOr: left ^ right
        case .shiftedLeft: left << right
        case .shiftedRight: left >> right
        }
    }
}

extension Datum {
    /// The 64 bits of a whole number, a negative one as the complement of two.
    fileprivate var bits: UInt64? {
        switch self {
        case .integer(let value): UInt64(bitPattern: value)
        case .unsigned(let value): value
        default: nil
        }
    }
}
