import Foundation

/// Instants in snapshot files: ISO 8601 in UTC, with as many digits as the instant needs, so that
/// reading gives the same instant to the last bit.
///
/// Instants outside the years 1 to 9999, which ISO 8601 has no plain form for, are the number of
/// seconds since 2001-01-01 00:00:00 UTC. The calendar arithmetic is that of Howard Hinnant's
/// "chrono-Compatible Low-Level Date Algorithms".
enum SnapshotDate {
    /// Days from 2001-01-01 to 0001-01-01, and to 10000-01-01.
    private static let days = -730_485..<2_921_574
    /// Days from 1970-01-01 to 2001-01-01.
    private static let referenceDay = 11_323

    /// The text of an instant in seconds since 2001, or `nil` where it has none.
    static func text(of seconds: Double) -> String? {
        let whole = seconds.rounded(.down)
        guard whole >= Double(days.lowerBound) * 86_400, whole < Double(days.upperBound) * 86_400,
            seconds.bitPattern != (-0.0).bitPattern
        else { return nil }
        var fraction = ""
        if seconds != whole {
            // Within the second before 2001 a difference of so many bits may not be exact.
            let digits = (seconds - whole).description
            guard whole + (seconds - whole) == seconds, digits.hasPrefix("0."),
                !digits.contains("e")
            else { return nil }
            fraction = String(digits.dropFirst())
        }
        let total = Int(whole)
        let day = total.floored(86_400)
        let second = total - day * 86_400
        let (year, month, dayOfMonth) = civil(day + referenceDay)
        func pad(_ number: Int, _ width: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        return "\(pad(year, 4))-\(pad(month, 2))-\(pad(dayOfMonth, 2))T"
            + "\(pad(second / 3600, 2)):\(pad(second / 60 % 60, 2)):\(pad(second % 60, 2))"
            + "\(fraction)Z"
    }

    /// The instant that a text stands for, in seconds since 2001, or `nil` for other text.
    static func seconds(of text: some Collection<UInt8>) -> Double? {
        let bytes = Array(text)
        guard bytes.count >= 20, bytes[bytes.count - 1] == UInt8(ascii: "Z"),
            bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"),
            bytes[16] == UInt8(ascii: ":")
        else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            var number = 0
            for byte in bytes[range] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                number = number * 10 + Int(byte - UInt8(ascii: "0"))
            }
            return number
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16),
            let second = number(17..<19),
            year > 0, (1...12).contains(month), hour < 24, minute < 60, second < 60,
            case let days = dayNumber(year, month, day), civil(days) == (year, month, day)
        else { return nil }
        var seconds = Double((days - referenceDay) * 86_400 + hour * 3600 + minute * 60 + second)
        if bytes.count > 20 {
            let digits = bytes[20..<bytes.count - 1]
            guard bytes[19] == UInt8(ascii: "."), !digits.isEmpty,
                digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let fraction = Double("0." + String(decoding: digits, as: UTF8.self))
            else { return nil }
            seconds += fraction
        }
        return seconds
    }

    /// Year, month and day of a number of days since 1970.
    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted.floored(146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * month + 2) / 5 + 1
        let civilMonth = month < 10 ? month + 3 : month - 9
        return (yearOfEra + era * 400 + (civilMonth <= 2 ? 1 : 0), civilMonth, day)
    }

    /// The number of days from 1970 to a date.
    private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = year.floored(400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

extension Int {
    /// The quotient, rounded down.
    fileprivate func floored(_ divisor: Int) -> Int {
        self >= 0 ? self / divisor : -((-self + divisor - 1) / divisor)
    }
}
