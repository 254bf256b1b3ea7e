import Foundation

/// The sum of numbers of any kinds, which does not depend on their order: it is rounded when it is read, and never before.
struct NumberSum {
    /// How many numbers there are.
    private(set) var count = 0
    private var whole: Int128 = 0
    private var isUnsigned = false
    private var decimal: Decimal?
    private var real: ExactSum?

    init(_ values: some Sequence<Datum>) {
        for value in values where value != .null {
            count += 1
            switch value {
            case .integer(let number): whole += Int128(number)
            case .unsigned(let number):
                whole += Int128(number)
                isUnsigned = true
            case .decimal(let number): add(number)
            default: add(value.number ?? .nan)
            }
        }
    }

    private mutating func add(_ number: Decimal) {
        let sum = (decimal ?? 0) + number
        // What no decimal has room for goes on as a `Double`.
        if sum.isNaN { add(number.nearestDouble) } else { decimal = sum }
    }

    private mutating func add(_ number: Double) {
        if real == nil { real = ExactSum() }
        real?.add(number, isAdded: true)
    }

    /// The sum as one of the kind of its numbers; whole numbers that 64 bits do not hold are a `Double`.
    var value: Datum {
        if var real {
            real.add(Double(whole), isAdded: true)
            real.add((decimal ?? 0).nearestDouble, isAdded: true)
            return .double(real.value)
        }
        return decimal.map { ArithmeticOperator.plus.apply(.decimal($0), wholeValue) } ?? wholeValue
    }

    private var wholeValue: Datum {
        if isUnsigned, let number = UInt64(exactly: whole) { return .unsigned(number) }
        return Int64(exactly: whole).map(Datum.integer) ?? .double(Double(whole))
    }
}
