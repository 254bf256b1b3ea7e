import Foundation

/// The alphabetical order of what the user reads: neither case nor accents count, and numbers count by their value.
///
/// It is that of keys, which objects keep, so that a long list is sorted by comparing bytes: to compare two texts as the
/// Finder does takes hundreds of times as long. It is the same for all users, and never contradicts itself. Texts with one
/// key are sorted by their bytes.
enum Alphabet {
    private static let (zero, nine) = (UInt8(ascii: "0"), UInt8(ascii: "9"))

    /// Text whose bytes have the place of `text` in the alphabet.
    static func key(_ text: String) -> String {
        let folded =
            text.utf8.allSatisfy { $0 < 128 }
            ? text.lowercased()
            : text.folding(
                options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
        func isDigit(_ byte: UInt8) -> Bool { (zero...nine).contains(byte) }
        guard folded.utf8.contains(where: isDigit) else { return folded }
        var key: [UInt8] = []
        var rest = Array(folded.utf8)[...]
        while let first = rest.first {
            let digits = rest.prefix(while: isDigit)
            rest = rest.dropFirst(max(1, digits.count))
            if digits.isEmpty {
                key.append(first)
            } else {
                // A longer number is greater: its length comes first, as a nine for each nine digits and the rest.
                let number = digits.drop { $0 == zero }
                key += Array(repeating: nine, count: number.count / 9)
                key.append(zero + UInt8(number.count % 9))
                key += number
            }
        }
        return String(decoding: key, as: UTF8.self)
    }

    /// The letter under which a text is found, in upper case; "#" for all that begin with none.
    static func letter(_ text: String) -> String {
        key(String(text.prefix(1))).first.flatMap { $0.isLetter ? $0.uppercased() : nil } ?? "#"
    }
}
