import Foundation
import PlacesGraph

extension StoredTree {
    /// The value for an attribute of a type, by the format's table of values; `nil` for none.
    func value(of type: String) -> Datum? {
        switch (type, self) {
        case (_, .null): .null
        case ("boolean", .boolean(let value)): .boolean(value)
        case ("uint64", .integer(let value)) where value >= 0: .unsigned(UInt64(value))
        case ("uint64", .unsigned(let value)): .unsigned(value)
        case ("int8", .integer(let value)): Int8(exactly: value).map { .integer(Int64($0)) }
        case ("int16", .integer(let value)): Int16(exactly: value).map { .integer(Int64($0)) }
        case ("int32", .integer(let value)): Int32(exactly: value).map { .integer(Int64($0)) }
        case ("int64", .integer(let value)): .integer(value)
        case ("uint8", .integer(let value)): UInt8(exactly: value).map { .integer(Int64($0)) }
        case ("uint16", .integer(let value)): UInt16(exactly: value).map { .integer(Int64($0)) }
        case ("uint32", .integer(let value)): UInt32(exactly: value).map { .integer(Int64($0)) }
        case ("decimal", .text("NaN")): .decimal(.nan)
        case ("decimal", .text(let text)): Decimal(string: text).map(Datum.decimal)
        case ("float", _), ("double", _): number.map(Datum.double)
        case ("date", .text(let text)):
            (Self.instant(text) ?? number).map {
                .date(Date(timeIntervalSinceReferenceDate: $0))
            }
        case ("date", .date(let date)): .date(date)
        case ("date", _): number.map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        case ("string", _), ("url", _): unicodeText.map(Datum.string)
        case ("uuid", .text(let text)): UUID(uuidString: text).map(Datum.uuid)
        case ("data", .text(let text)): Data(base64Encoded: text).map(Datum.data)
        case ("data", .data(let data)): .data(data)
        default: nil
        }
    }

    /// A number, or the number for one of the words that JSON needs instead of numbers.
    private var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .number(let value): value
        case .text("NaN"): .nan
        case .text("Infinity"): .infinity
        case .text("-Infinity"): -.infinity
        default: nil
        }
    }

    /// A text; XML property lists store it as data if it has characters that XML does not allow.
    var unicodeText: String? {
        switch self {
        case .text(let text): text
        case .data(let data): String(validating: data, as: UTF8.self)
        default: nil
        }
    }

    /// The seconds since 2001 of an instant such as "2026-11-21T09:41:00.25Z".
    ///
    /// It uses the calendar of ISO 8601, which Foundation's calendar does not follow before 1582.
    private static func instant(_ text: String) -> Double? {
        guard
            let match = text.wholeMatch(of: /(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?Z/),
            let year = Int(match.1), let month = Int(match.2), (1...12).contains(month),
            let day = Int(match.3), let hour = Int(match.4), let minute = Int(match.5),
            let second = Int(match.6)
        else { return nil }
        var days = day - 1
        for earlier in 1..<month { days += length(ofMonth: earlier, in: year) }
        for other in min(year, 2001)..<max(year, 2001) {
            let length = (1...12).reduce(0) { $0 + self.length(ofMonth: $1, in: other) }
            days += year < 2001 ? -length : length
        }
        let seconds = Double(((days * 24 + hour) * 60 + minute) * 60 + second)
        return match.7.map { Double("0\($0)").map { seconds + $0 } } ?? seconds
    }

    private static func length(ofMonth month: Int, in year: Int) -> Int {
        switch month {
        case 2:
            year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
                ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
