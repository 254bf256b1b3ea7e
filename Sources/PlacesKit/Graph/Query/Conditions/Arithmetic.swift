import Foundation

/// What two numbers are made into.
enum ArithmeticOperator: Hashable, Sendable {
    case plus, minus, times, divided, remainder, power
    case bits(BitOperator)

    /// The result, or `.null` where there is none: one side is no number, or divides by zero.
    ///
    /// Whole numbers stay whole while 64 bits hold the result, and go on as a `Double` beyond.
    func apply(_ left: Datum, _ right: Datum) -> Datum {
        if case .bits(let operation) = self { return operation.apply(left, right) }
        switch (left, right) {
        case (.integer(let a), .integer(let b)): return whole(a, b, as: Datum.integer)
        case (.decimal, _), (_, .decimal): return decimal(left, right)
        case (.unsigned, _), (_, .unsigned):
            guard let a = left.wideInteger, let b = right.wideInteger else { break }
            return whole(a, b) {
                UInt64(exactly: $0).map(Datum.unsigned) ?? Int64(exactly: $0).map(Datum.integer)
            }
        default: break
        }
        guard let a = left.number, let b = right.number else { return .null }
        return real(a, b)
    }

    private func whole<Number: FixedWidthInteger>(
        _ left: Number, _ right: Number, as datum: (Number) -> Datum?
    ) -> Datum {
        switch self {
        case .power: return real(Double(left), Double(right)).whole
        case .divided, .remainder: if right == 0 { return .null }
        case .plus, .minus, .times, .bits: break
        }
        return exactly(left, right).flatMap(datum) ?? real(Double(left), Double(right))
    }

    /// Sums, differences and products of decimals are decimals; the rest is rounded.
    private func decimal(_ left: Datum, _ right: Datum) -> Datum {
        let result: Decimal? =
            switch (self, left.wide, right.wide) {
            case (.plus, let a?, let b?): a + b
            case (.minus, let a?, let b?): a - b
            case (.times, let a?, let b?): a * b
            case (.divided, let a?, let b?) where !b.isZero: a / b
            default: nil
            }
        if let result, !result.isNaN { return .decimal(result) }
        return left.number.flatMap { a in right.number.map { real(a, $0) } } ?? .null
    }

    private func real(_ left: Double, _ right: Double) -> Datum {
        switch self {
        case .plus: .double(left + right)
        case .minus: .double(left - right)
        case .times: .double(left * right)
        case .divided: right == 0 ? .null : .double(left / right)
        case .remainder:
            right == 0 ? .null : .double(left.truncatingRemainder(dividingBy: right))
        case .power: .double(pow(left, right))
        case .bits: .null
        }
    }
}

extension Datum {
    /// The value as a number that may be rounded; `nil` where it is none.
    var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .decimal(let value): value.nearestDouble
        case .double(let value): value
        default: nil
        }
    }

    /// The value as a decimal that is not rounded; `nil` where it may have to be, or is no number.
    var wide: Decimal? {
        switch self {
        case .integer(let value): Decimal(value)
        case .unsigned(let value): Decimal(value)
        case .decimal(let value): value
        default: nil
        }
    }

    /// A whole number of either kind.
    fileprivate var wideInteger: Int128? {
        switch self {
        case .integer(let value): Int128(value)
        case .unsigned(let value): Int128(value)
        default: nil
        }
    }

    /// A number that is whole as an integer, where a `Double` tells every one apart.
    fileprivate var whole: Datum {
        guard case .double(let value) = self, abs(value) <= 0x1p53, value == value.rounded() else {
            return self
        }
        return .integer(Int64(value))
    }
}

extension Decimal {
    /// The powers of ten that a `Double` holds without rounding.
    private static let powers = (0...22).map { pow(10, Double($0)) }

    /// The `Double` that lies nearest.
    ///
    /// NB: Foundation divides by ten again and again, and rounds each time: its 19.99 is not that of Swift.
    var nearestDouble: Double {
        if isNaN { return .nan }
        let digits = NSDecimalNumber(decimal: magnitude.significand).doubleValue
        // Of two numbers that are exact the quotient and the product are rounded once.
        guard digits < 0x1p53, abs(exponent) < Self.powers.count else {
            return Double(description) ?? .nan
        }
        let power = Self.powers[abs(exponent)]
        let magnitude = exponent < 0 ? digits / power : digits * power
        return isSignMinus ? -magnitude : magnitude
    }

    /// The decimal of the digits with which a number is written; `nil` where it is too large for one, or is none.
    init?(digitsOf number: Double) {
        guard number.isFinite else { return nil }
        if let decimal = Decimal(string: "\(number)"), !decimal.isNaN {
            self = decimal
        } else {
            // What is too small for a decimal lies next to zero.
            guard abs(number) < 1 else { return nil }
            self = 0
        }
    }
}

extension Double {
    /// What is left of the whole number below.
    var fraction: Double { self - rounded(.down) }
}
