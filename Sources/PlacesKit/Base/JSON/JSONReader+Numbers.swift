extension JSONReader {
    /// A number as it is spelled: `digits` × 10^`exponent`.
    package struct NumberToken {
        package let range: Range<Int>
        package let isNegative: Bool
        /// All digits as one integer; nil if there may be too many for it.
        package let digits: UInt64?
        package let exponent: Int
        package let isInteger: Bool
    }

    /// Reads an integer that has neither fraction nor exponent.
    package mutating func readInt64() throws(JSONError) -> Int64 {
        let token = try scanNumber()
        guard token.isInteger else { throw failure(.notAnInteger, at: token.range.lowerBound) }
        if let digits = token.digits {
            if !token.isNegative, let value = Int64(exactly: digits) {
                return value
            }
            if token.isNegative, digits <= Int64.min.magnitude {
                return Int64(truncatingIfNeeded: 0 &- digits)
            }
        }
        throw failure(.numberOutOfRange(type: "a 64-bit integer"), at: token.range.lowerBound)
    }

    /// Reads an integer that is not negative and has neither fraction nor exponent.
    package mutating func readUInt64() throws(JSONError) -> UInt64 {
        let token = try scanNumber()
        guard token.isInteger else { throw failure(.notAnInteger, at: token.range.lowerBound) }
        guard let value = UInt64(String(decoding: bytes[token.range], as: UTF8.self)) else {
            throw failure(
                .numberOutOfRange(type: "a 64-bit integer that is not negative"),
                at: token.range.lowerBound)
        }
        return value
    }

    /// Reads the nearest double to a number.
    ///
    /// A number that is too large is an error; one that is too small is zero. Instead of a number
    /// this also reads the strings "NaN", "Infinity" and "-Infinity", which ``JSONWriter`` writes
    /// for doubles that JSON has no numbers for.
    package mutating func readDouble() throws(JSONError) -> Double {
        if nextByte() == UInt8(ascii: "\"") {
            return try readString(as: #"a number, "NaN", "Infinity" or "-Infinity""#) { bytes in
                JSONNonFinite.allCases.first { bytes.elementsEqual($0.rawValue.utf8) }?.value
            }
        }
        let token = try scanNumber()
        if let value = Self.exactDouble(token) {
            return value
        }
        let text = String(decoding: bytes[token.range], as: UTF8.self)
        guard let value = Double(text), value.isFinite else {
            throw failure(.numberOutOfRange(type: "a double"), at: token.range.lowerBound)
        }
        return value
    }

    /// The value of a number with few digits that is neither very large nor very small.
    @inline(__always)
    package static func exactDouble(_ token: NumberToken) -> Double? {
        guard let digits = token.digits, let value = decimal(digits, exponent: token.exponent)
        else { return nil }
        return token.isNegative ? -value : value
    }

    /// The double nearest to `digits` × 10^`exponent`; `nil` if this method cannot find it.
    ///
    /// If both the digits and the power of ten are exact doubles, one operation, which rounds once,
    /// computes the result (Clinger 1990). Other fractions are divided as integers: both numbers
    /// are shifted up to the top, so that the quotient digits / 5^n has 63 or 64 bits. It is
    /// rounded to 53 bits. A tie goes to even, or up if the division left a remainder.
    package static func decimal(_ digits: UInt64, exponent: Int) -> Double? {
        if digits <= 1 << 53, (-22...22).contains(exponent) {
            return exponent < 0
                ? Double(digits) / powersOfTen[-exponent]
                : Double(digits) * powersOfTen[exponent]
        }
        guard digits > 0, (-27..<0).contains(exponent) else { return nil }
        let power = powersOfFive[-exponent]
        let (shift, powerShift) = (digits.leadingZeroBitCount, power.leadingZeroBitCount)
        let normal = digits << UInt64(shift)
        let (quotient, remainder) = (power << UInt64(powerShift))
            .dividingFullWidth((normal >> 1, normal << 63))
        let surplus = 11 - quotient.leadingZeroBitCount
        let half: UInt64 = 1 << UInt64(surplus - 1)
        var mantissa = quotient >> UInt64(surplus)
        let rest = quotient & (half << 1 - 1)
        if rest > half || rest == half && (remainder != 0 || mantissa & 1 != 0) { mantissa += 1 }
        return Double(
            sign: .plus, exponent: exponent + powerShift - shift - 63 + surplus,
            significand: Double(mantissa))
    }

    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]

    /// All powers of five that 64 bits hold.
    private static let powersOfFive = (0...27).map { exponent in
        (0..<exponent).reduce(1 as UInt64) { power, _ in power * 5 }
    }

    /// Passes a number and checks its grammar.
    @inline(__always)
    package mutating func scanNumber() throws(JSONError) -> NumberToken {
        var byte = nextByte()
        let start = offset
        let isNegative = byte == UInt8(ascii: "-")
        if isNegative {
            offset += 1
            byte = offset < bytes.count ? bytes[offset] : nil
        }
        var digits: UInt64 = 0
        var digitCount = 0
        guard let byte, Self.isDigit(byte) else {
            throw isNegative ? unexpected("a digit") : mismatch(expected: .number)
        }
        if byte == UInt8(ascii: "0") {
            offset += 1
            if offset < bytes.count, Self.isDigit(bytes[offset]) {
                throw unexpected("no digit after a leading zero")
            }
        } else {
            digitCount = scanDigits(into: &digits)
        }
        var exponent = 0
        var isInteger = true
        if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
            isInteger = false
            offset += 1
            let count = scanDigits(into: &digits)
            guard count > 0 else { throw unexpected("a digit") }
            digitCount += count
            exponent = -count
        }
        if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            exponent += try scanExponent()
        }
        return NumberToken(
            range: start..<offset, isNegative: isNegative,
            digits: digitCount <= 19 ? digits : nil, exponent: exponent, isInteger: isInteger)
    }

    private mutating func scanExponent() throws(JSONError) -> Int {
        offset += 1
        var isNegative = false
        if offset < bytes.count,
            bytes[offset] == UInt8(ascii: "-") || bytes[offset] == UInt8(ascii: "+")
        {
            isNegative = bytes[offset] == UInt8(ascii: "-")
            offset += 1
        }
        var digits: UInt64 = 0
        let count = scanDigits(into: &digits)
        guard count > 0 else { throw unexpected("a digit") }
        let magnitude = count > 9 ? 1_000_000_000 : Int(digits)
        return isNegative ? -magnitude : magnitude
    }

    /// Passes digits and counts them; adds them to `value`, which wraps around.
    @inline(__always)
    private mutating func scanDigits(into value: inout UInt64) -> Int {
        let start = offset
        while offset < bytes.count, Self.isDigit(bytes[offset]) {
            value = value &* 10 &+ UInt64(bytes[offset] &- UInt8(ascii: "0"))
            offset += 1
        }
        return offset - start
    }

    @inline(__always)
    private static func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10
    }
}
