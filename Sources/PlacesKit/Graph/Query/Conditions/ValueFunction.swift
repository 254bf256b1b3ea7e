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
    /// Text in capital letters, or in small ones, whatever the locale.
    case uppercased, lowercased
    /// How far a number is from zero.
    case magnitude
    /// The nearest whole number in a direction.
    case rounded(FloatingPointRoundingRule)
    /// The number that times itself is a number; no value below zero.
    case squareRoot
    /// A part of a date.
    case datePart(DatePart)
    /// Whether elements of an array pass a test, and how many elements there are.
    case elements(ElementTest), elementCount
    /// A value of another type that means the same.
    case cast(CastType)

    /// The function's value; `.null` where it has none.
    func callAsFunction(_ value: Datum) -> Datum {
        switch (self, value) {
        case (.folded(let folding), .string(let text)): .string(folding.fold(text))
        case (.folded, _): value
        case (.length, .string(let text)): .integer(Int64(text.utf16.count))
        case (.length, .data(let data)): .integer(Int64(data.count))
        case (.length, _): .null
        case (.entry(let entries), _): entries[value] ?? .null
        case (.uppercased, .string(let text)): .string(text.uppercased())
        case (.lowercased, .string(let text)): .string(text.lowercased())
        case (.magnitude, _): value.magnitude
        case (.rounded(let rule), _): value.rounded(rule)
        case (.squareRoot, _):
            value.number.map { $0 < 0 || $0.isNaN ? .null : .double($0.squareRoot()) } ?? .null
        case (.datePart(let part), _): part(value)
        case (.elements(let test), _): .boolean(test(value))
        case (.elementCount, _): .integer(Int64(value.elements().count))
        case (.cast(let type), _): type(value)
        case (.uppercased, _), (.lowercased, _): .null
        }
    }

    /// What predicate formats call the function, where its value is all that it takes.
    var formatName: String? { FormatFunction.value(self).name }
}

extension Datum {
    /// How far a number is from zero; one for which integers have no room becomes a `Double`.
    fileprivate var magnitude: Datum {
        switch self {
        case .integer(let value):
            value == .min ? .double(0x1p63) : .integer(abs(value))
        case .unsigned: self
        case .decimal(let value): .decimal(abs(value))
        case .double(let value): .double(abs(value))
        case .null, .boolean, .string, .date, .uuid, .data: .null
        }
    }

    /// The nearest whole number in a direction.
    fileprivate func rounded(_ rule: FloatingPointRoundingRule) -> Datum {
        switch self {
        case .integer, .unsigned: return self
        case .decimal(let value):
            let isDown = rule == .down || rule == .towardZero && value.sign == .plus
            var (whole, value) = (Decimal(), value)
            NSDecimalRound(&whole, &value, 0, isDown ? .down : .up)
            return .decimal(whole)
        case .double(let value): return .double(value.rounded(rule))
        case .null, .boolean, .string, .date, .uuid, .data: return .null
        }
    }
}
