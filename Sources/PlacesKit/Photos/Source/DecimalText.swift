extension Double {
    /// A coordinate or distance in decimals without exponent, to a millionth, as services read it.
    ///
    /// Numbers that are too large for that, infinities and NaN are written as Swift writes them.
    package var decimalText: String {
        let millionths = (self * 1_000_000).rounded(.toNearestOrEven)
        guard let value = Int64(exactly: millionths) else { return description }
        let (whole, fraction) = value.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        let sign = value < 0 ? "-" : ""
        if fraction == 0 { return "\(sign)\(whole)" }
        let digits = String(fraction + 1_000_000).dropFirst()
        let end = digits.lastIndex { $0 != "0" } ?? digits.startIndex
        return "\(sign)\(whole).\(digits[...end])"
    }
}
