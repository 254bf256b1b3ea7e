import Foundation

extension Decimal {
    /// The number that a text spells, or `nil` where it spells none or more digits than there is room
    /// for.
    ///
    /// The text is what `description` gives: digits, a minus before and a point among them, or "NaN".
    init?(text: String) {
        if text == "NaN" {
            self = .nan
            return
        }
        let magnitude = text.hasPrefix("-") ? text.dropFirst() : text[...]
        let parts = magnitude.split(separator: ".", omittingEmptySubsequences: false)
        let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        guard (1...2).contains(parts.count),
            parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isDigit) }),
            let value = Decimal(string: text),
            Decimal.digits(of: value.description) == Decimal.digits(of: text)
        else { return nil }
        self = value
    }

    /// The digits of a number's text that tell its value.
    private static func digits(of text: String) -> Substring {
        var digits = Substring(text.contains(".") ? text : text + ".")
        digits = digits.drop { $0 == "-" }.drop { $0 == "0" }
        while digits.last == "0" { digits.removeLast() }
        return digits
    }
}

extension SnapshotOutput {
    /// Writes a decimal number as text: readers round numbers.
    mutating func write(_ value: Decimal) {
        writePlain(value.description)
    }
}
