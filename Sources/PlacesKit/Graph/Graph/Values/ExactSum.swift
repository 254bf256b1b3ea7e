import Foundation

/// A sum of floating-point numbers that is never rounded until it is read.
///
/// So it depends on what was added and taken away, not on the order. The sum is one long number in
/// two's complement, in digits of 32 bits of which the first stands for the least number there is;
/// only those between the first and the last that say something are kept. What is not finite is
/// counted. (The idea is Kulisch's, Computer Arithmetic and Validity, 2008.)
struct ExactSum: Equatable {
    private var notNumbers: Int32 = 0
    private var infinities: Int32 = 0
    private var negativeInfinities: Int32 = 0
    /// The position of the first digit that is kept.
    private var lowest = 0
    private var digits: [UInt32] = []
    /// Whether all digits above those kept are full, as those of a negative number are.
    private var isNegative = false

    /// Nothing.
    init() {}

    /// Adds a number, or takes it away.
    mutating func add(_ number: Double, isAdded: Bool) {
        guard number.isFinite else {
            let one: Int32 = isAdded ? 1 : -1
            if number.isNaN {
                notNumbers &+= one
            } else if number > 0 {
                infinities &+= one
            } else {
                negativeInfinities &+= one
            }
            return
        }
        guard number != 0 else { return }
        let position = max(1, Int(number.exponentBitPattern)) - 1
        let hidden: UInt64 = number.exponentBitPattern == 0 ? 0 : 1 << 52
        let shifted = UInt128(number.significandBitPattern | hidden) << UInt128(position % 32)
        let first = position / 32
        makeRoom(first..<first + 3)
        let isTaken = (number < 0) == isAdded
        var carry: Int64 = 0
        for index in first - lowest..<digits.count {
            let offset = index - (first - lowest)
            if offset >= 3, carry == 0 { break }
            let part =
                offset < 3 ? Int64(UInt32(truncatingIfNeeded: shifted >> UInt128(offset * 32))) : 0
            let digit = Int64(digits[index]) + (isTaken ? -part : part) + carry
            digits[index] = UInt32(truncatingIfNeeded: digit)
            carry = digit >> 32
        }
        let top = carry + (isNegative ? -1 : 0)
        isNegative = top < 0
        if top != 0, top != -1 { digits.append(UInt32(truncatingIfNeeded: top)) }
        trim()
    }

    private var filler: UInt32 { isNegative ? .max : 0 }

    private mutating func makeRoom(_ range: Range<Int>) {
        if digits.isEmpty, !isNegative { lowest = range.lowerBound }
        if range.lowerBound < lowest {
            digits.insert(
                contentsOf: repeatElement(0, count: lowest - range.lowerBound), at: 0)
            lowest = range.lowerBound
        }
        while lowest + digits.count < range.upperBound { digits.append(filler) }
    }

    /// Drops digits that say nothing, so that equal sums look alike.
    private mutating func trim() {
        while let last = digits.last, last == filler { digits.removeLast() }
        let zeros = digits.prefix { $0 == 0 }.count
        digits.removeFirst(zeros)
        lowest = digits.isEmpty && !isNegative ? 0 : lowest + zeros
    }

    /// The sum, rounded once, to the nearest number there is, or to the even one of two.
    var value: Double {
        if notNumbers > 0 || infinities > 0 && negativeInfinities > 0 { return .nan }
        if infinities > 0 { return .infinity }
        if negativeInfinities > 0 { return -.infinity }
        let magnitude = magnitude
        guard let top = magnitude.last else { return 0 }
        let length = magnitude.count * 32 - top.leadingZeroBitCount
        let shift = max(0, length - 53)
        func bit(_ index: Int) -> Bool { magnitude[index / 32] >> UInt32(index % 32) & 1 != 0 }
        var significand: UInt64 = 0
        for index in (shift..<length).reversed() {
            significand = significand << 1 | (bit(index) ? 1 : 0)
        }
        if shift > 0, bit(shift - 1), significand & 1 != 0 || (0..<shift - 1).contains(where: bit) {
            significand += 1
        }
        return Double(
            sign: isNegative ? .minus : .plus, exponent: lowest * 32 + shift - 1074,
            significand: Double(significand))
    }

    /// The digits of the number without its sign, the last of them not zero.
    private var magnitude: [UInt32] {
        guard isNegative else { return digits }
        var carry: UInt32 = 1
        var magnitude = digits.map { digit -> UInt32 in
            let (sum, overflow) = (~digit).addingReportingOverflow(carry)
            carry = overflow ? 1 : 0
            return sum
        }
        if carry > 0 { magnitude.append(carry) }
        while magnitude.last == 0 { magnitude.removeLast() }
        return magnitude
    }
}

extension ExactSum {
    /// Reads a sum that a column holds.
    init(_ data: Data) {
        let header = 5
        let words = data.withUnsafeBytes { bytes in
            (0..<bytes.count / 4).map {
                bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self)
            }
        }
        guard words.count >= header else { return }
        notNumbers = Int32(bitPattern: words[0])
        infinities = Int32(bitPattern: words[1])
        negativeInfinities = Int32(bitPattern: words[2])
        lowest = Int(words[3])
        isNegative = words[4] != 0
        digits = Array(words[header...])
    }

    /// The sum as a column holds it.
    var data: Data {
        if self == ExactSum() { return Data() }
        let header = [
            UInt32(bitPattern: notNumbers), UInt32(bitPattern: infinities),
            UInt32(bitPattern: negativeInfinities), UInt32(lowest), isNegative ? 1 : 0,
        ]
        return (header + digits).withUnsafeBytes { Data($0) }
    }
}

extension ExactSum {
    /// A sum of digits that have a sign each and may be greater than a digit can be, the first of them at
    /// a position.
    init(digits sums: some Sequence<Int64>, from position: Int) {
        lowest = position
        var carry: Int64 = 0
        for sum in sums {
            let sum = sum &+ carry
            digits.append(UInt32(truncatingIfNeeded: sum))
            carry = sum >> 32
        }
        while carry != 0, carry != -1 {
            digits.append(UInt32(truncatingIfNeeded: carry))
            carry >>= 32
        }
        isNegative = carry < 0
        trim()
    }
}
