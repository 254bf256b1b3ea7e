import Foundation

/// A function of one value.
///
/// To add one takes a case here, and the expression or the word of the format language that means it.
enum ValueFunction: Sendable, Hashable {
    /// Text in which some differences do not show.
    case folded(TextFolding)
    /// How long text or data is: in the units of UTF-16, as `NSString` counts, or in bytes.
    case length
    /// What a value is the key of.
    case entry([Datum: Datum])

    /// The function's value; `.null` where it has none.
    func callAsFunction(_ value: Datum) -> Datum {
        switch (self, value) {
        case (.folded(let folding), .string(let text)): .string(folding.fold(text))
        case (.folded, _): value
        case (.length, .string(let text)): .integer(Int64(text.utf16.count))
        case (.length, .data(let data)): .integer(Int64(data.count))
        case (.length, _): .null
        case (.entry(let entries), _): entries[value] ?? .null
        }
    }
}
