import Foundation

extension Double {
    /// A coordinate or distance in decimals without exponent, to a millionth: what services read.
    var decimalText: String {
        let text = String(format: "%.6f", locale: Locale(identifier: "en_US_POSIX"), self)
        let digits = text.reversed().drop { $0 == "0" }
        return String(digits.drop { $0 == "." }.reversed())
    }
}
