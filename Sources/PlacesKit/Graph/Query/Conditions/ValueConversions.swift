import Foundation

/// A part of dates in a time zone, by a calendar.
struct DatePart: Hashable, Sendable {
    private let component: Calendar.Component
    private let calendar: Calendar

    /// The calendars, by the names that Unicode's CLDR has for them.
    static let calendars: [String: Calendar.Identifier] = [
        "gregorian": .gregorian, "iso8601": .iso8601, "buddhist": .buddhist, "japanese": .japanese,
        "roc": .republicOfChina, "chinese": .chinese, "indian": .indian, "persian": .persian,
        "hebrew": .hebrew, "islamic": .islamic, "islamic-civil": .islamicCivil,
        "islamic-tbla": .islamicTabular, "islamic-umalqura": .islamicUmmAlQura,
        "coptic": .coptic, "ethiopic": .ethiopicAmeteMihret, "ethioaa": .ethiopicAmeteAlem,
    ]

    init(_ component: Calendar.Component, in zone: TimeZone, by identifier: Calendar.Identifier) {
        self.component = component
        var calendar = Calendar(identifier: identifier)
        calendar.timeZone = zone
        self.calendar = calendar
    }

    /// The part of a date; `.null` for what is none, or lies further away than calendars go.
    func callAsFunction(_ value: Datum) -> Datum {
        guard case .date(let date) = value, Self.knows(date) else { return .null }
        return .integer(Int64(calendar.component(component, from: date)))
    }

    /// Whether Foundation's calendars tell the parts of a date.
    fileprivate static func knows(_ date: Date) -> Bool {
        abs(date.timeIntervalSinceReferenceDate) <= 6.4e10
    }
}

/// What `CAST` makes of values, by the names of `NSExpression`.
enum CastType: String, Hashable, Sendable, CaseIterable {
    case text = "NSString"
    case number = "NSNumber"
    case decimal = "NSDecimalNumber"
    case date = "NSDate"
    /// From text in Base64.
    case data = "NSData"

    /// The value converted; `.null` where it means nothing as that.
    ///
    /// A date is the seconds since the first of January 2001, as text it is written by ISO 8601.
    func callAsFunction(_ value: Datum) -> Datum {
        switch self {
        case .text: value.castText.map(Datum.string) ?? .null
        case .number: value.castNumber.map(Datum.double) ?? .null
        case .data:
            if case .string(let text) = value {
                Data(base64Encoded: text).map(Datum.data) ?? .null
            } else {
                .null
            }
        case .decimal:
            switch value {
            case .string("NaN"): .decimal(.nan)
            case .string(let text): Decimal(whole: text).map(Datum.decimal) ?? .null
            default:
                value.wide.map(Datum.decimal)
                    ?? value.castNumber.flatMap(Decimal.init(digitsOf:)).map(Datum.decimal) ?? .null
            }
        case .date:
            switch value {
            case .date: value
            case .string(let text): Date(whole: text).map(Datum.date) ?? .null
            default:
                value.castNumber.map { .date(Date(timeIntervalSinceReferenceDate: $0)) } ?? .null
            }
        }
    }
}

extension Datum {
    fileprivate var castText: String? {
        switch self {
        case .null, .data: nil
        case .boolean(let value): value ? "1" : "0"
        case .string(let value): value
        case .date(let value): DatePart.knows(value) ? value.ISO8601Format() : nil
        case .integer, .unsigned, .decimal, .double, .uuid: description
        }
    }

    fileprivate var castNumber: Double? {
        switch self {
        case .boolean(let value): value ? 1 : 0
        case .string(let value): Double(value)
        case .date(let value): value.timeIntervalSinceReferenceDate
        default: number
        }
    }
}

// NB: Foundation reads the beginning of a text and says nothing of the rest, so the text is looked at before.

extension Decimal {
    /// The number that a whole text is; `nil` where it is none, or too large for a decimal.
    fileprivate init?(whole text: String) {
        guard text.utf8.allSatisfy({ "+-.eE0123456789".utf8.contains($0) }),
            let number = Double(text)
        else { return nil }
        if let decimal = Decimal(string: text), !decimal.isNaN {
            self = decimal
        } else {
            self.init(digitsOf: number)
        }
    }
}

extension Date {
    /// The instant that a whole text is by ISO 8601; `nil` where it is none, as the 30th of February or an hour 25.
    fileprivate init?(whole text: String) {
        guard let time = text.firstIndex(of: "T") else { return nil }
        let local = text[..<(text.index(time, offsetBy: 9, limitedBy: text.endIndex) ?? time)]
        // The time of day and the day, written back, are the same only where there are such.
        guard let clock = try? Date("\(local)Z", strategy: .iso8601),
            clock.ISO8601Format() == "\(local)Z"
        else { return nil }
        var rest = text[local.endIndex...].map { $0.isASCII && $0.isNumber ? "0" : $0 }[...]
        if rest.starts(with: ".0") { rest = rest.dropFirst().drop { $0 == "0" } }
        let zones = ["Z", "+00", "-00", "+0000", "-0000", "+00:00", "-00:00"]
        guard zones.contains(String(rest)), let date = try? Date(text, strategy: .iso8601) else {
            return nil
        }
        self = date
    }
}
