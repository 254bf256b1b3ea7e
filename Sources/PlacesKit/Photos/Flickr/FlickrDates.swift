import Foundation

/// Flickr's dates.
///
/// The rules are those of https://www.flickr.com/services/api/misc.dates.html
enum FlickrDates {
    /// The month in which Flickr opened: no upload is older.
    ///
    /// Searches by place cover only twelve hours unless something else narrows them. This date as a
    /// lower bound removes that limit.
    static let opening = 1_075_593_600

    /// The last second of the year 9999, or the last that an integer has room for.
    private static let end = Int(clamping: 253_402_300_799 as Int64)

    /// A date of upload, from seconds since 1970; nil if it cannot be one.
    static func upload(_ value: LenientJSON) -> Date? {
        guard let seconds = value.int, (opening...end).contains(seconds) else {
            return nil
        }
        return Date(timeIntervalSince1970: Double(seconds))
    }

    /// A day before a moment, in seconds since 1970: the lower bound for photos of the last day.
    ///
    /// A clock that is before Flickr, or beyond the year 9999, gives the nearest date that Flickr can have.
    static func dayBefore(_ now: Date) -> Int {
        let seconds = now.timeIntervalSince1970 - 86_400
        return seconds >= Double(opening) ? Int(min(seconds, Double(end))) : opening
    }

    /// The local time a photo was taken, from "2018-08-25 16:34:33" and its precision.
    ///
    /// It is nil if Flickr does not know the time: then the value only repeats the time of the
    /// upload.
    static func taken(
        _ value: LenientJSON, granularity: LenientJSON, isUnknown: LenientJSON
    ) -> LocalDate? {
        guard isUnknown.bool != true, let (parts, count) = value.nonEmptyText.flatMap(numbers),
            count == 6 || count == 3
        else { return nil }
        let precision: LocalDate.Precision =
            switch granularity.int ?? 0 {
            case 4, 5: .month
            case 6, 7: .year
            case 8...: .circa
            default: .second
            }
        let isCoarse = precision != .second
        return LocalDate(
            year: parts[0], month: isCoarse ? max(1, parts[1]) : parts[1],
            day: isCoarse ? max(1, parts[2]) : parts[2],
            hour: parts[3], minute: parts[4], second: parts[5], precision: precision)
    }

    /// The numbers of a date and time, padded with zeros, and how many there are.
    ///
    /// It is nil if there are more than eight, or if the text contains anything but digits and
    /// separators, or begins with a sign: some databases write a date of zeros as "-0001-11-30".
    private static func numbers(in text: String) -> (SIMD8<Int>, count: Int)? {
        guard text.utf8.first != UInt8(ascii: "-") else { return nil }
        var numbers = SIMD8<Int>()
        var count = 0
        var number: Int?
        func end() -> Bool {
            guard let ended = number else { return true }
            guard count < numbers.scalarCount else { return false }
            numbers[count] = ended
            count += 1
            number = nil
            return true
        }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                number = min(1_000_000, (number ?? 0) * 10 + Int(byte - UInt8(ascii: "0")))
            case UInt8(ascii: "-"), UInt8(ascii: " "), UInt8(ascii: ":"), UInt8(ascii: "T"):
                guard end() else { return nil }
            default: return nil
            }
        }
        guard end() else { return nil }
        return (numbers, count)
    }
}
