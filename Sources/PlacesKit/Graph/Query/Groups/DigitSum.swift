/// A sum of many floating-point numbers at once that is rounded when it is read, and never before.
///
/// It is what `ExactSum` is, with room for every digit there can be and without carries while numbers
/// are added, of which there may be 2³¹: adding one is three additions of integers.
struct DigitSum {
    private static let count = 68

    private var digits = ContiguousArray<Int64>(repeating: 0, count: count)
    private var used = 0..<0
    private var others = ExactSum()
    private var hasOthers = false

    /// Goes back to nothing.
    mutating func clear() {
        for index in used { digits[index] = 0 }
        used = 0..<0
        if hasOthers { others = ExactSum() }
        hasOthers = false
    }

    /// Adds a number.
    @inline(__always)
    mutating func add(_ number: Double) {
        guard number.isFinite else {
            hasOthers = true
            others.add(number, isAdded: true)
            return
        }
        let exponent = Int(number.exponentBitPattern)
        let position = max(1, exponent) &- 1
        let significand = number.significandBitPattern | (exponent == 0 ? 0 : 1 << 52)
        let first = position &>> 5
        let low = significand &<< UInt64(truncatingIfNeeded: position & 31)
        let high = significand &>> UInt64(truncatingIfNeeded: 64 &- (position & 31))
        let top = position & 31 == 0 ? 0 : high
        let sign: Int64 = number.sign == .minus ? -1 : 1
        digits.withUnsafeMutableBufferPointer { digits in
            digits[first] &+= sign &* Int64(truncatingIfNeeded: low & 0xffff_ffff)
            digits[first &+ 1] &+= sign &* Int64(truncatingIfNeeded: low &>> 32)
            digits[first &+ 2] &+= sign &* Int64(truncatingIfNeeded: top)
        }
        used =
            used.isEmpty
            ? first..<first &+ 3
            : min(used.lowerBound, first)..<max(used.upperBound, first &+ 3)
    }

    /// The sum, rounded once.
    var value: Double {
        let sum = ExactSum(digits: digits[used], from: used.lowerBound)
        guard hasOthers else { return sum.value }
        return others.value
    }
}
