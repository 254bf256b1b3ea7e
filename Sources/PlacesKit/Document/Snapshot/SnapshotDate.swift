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
        withText(of: seconds) { String(decoding: $0, as: UTF8.self) }
    }

    /// Hands the text of an instant in seconds since 2001 to `body`, or gives `nil` where it has none.
    @inline(__always)
    static func withText<Result>(
        of seconds: Double, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result? {
        let whole = seconds.rounded(.down)
        guard whole >= Double(days.lowerBound) * 86_400, whole < Double(days.upperBound) * 86_400,
            seconds.bitPattern != (-0.0).bitPattern
        else { return nil }
        var fraction = ""
        if seconds != whole {
            // Within the second before 2001 a difference of so many bits may not be exact.
            fraction = (seconds - whole).description
            guard whole + (seconds - whole) == seconds, fraction.utf8.starts(with: "0.".utf8),
                !fraction.utf8.contains(UInt8(ascii: "e"))
            else { return nil }
        }
        let total = Int(whole)
        let day = total.floored(86_400)
        let second = total - day * 86_400
        let (year, month, dayOfMonth) = civil(day + referenceDay)
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 48) { text in
            var count = 0
            func put(_ byte: UInt8) {
                text.initializeElement(at: count, to: byte)
                count += 1
            }
            func put(_ number: Int, _ end: UInt8) {
                put(UInt8(ascii: "0") + UInt8(number / 10))
                put(UInt8(ascii: "0") + UInt8(number % 10))
                put(end)
            }
            put(UInt8(ascii: "0") + UInt8(year / 1000))
            put(UInt8(ascii: "0") + UInt8(year / 100 % 10))
            put(year % 100, UInt8(ascii: "-"))
            put(month, UInt8(ascii: "-"))
            put(dayOfMonth, UInt8(ascii: "T"))
            put(second / 3600, UInt8(ascii: ":"))
            put(second / 60 % 60, UInt8(ascii: ":"))
            put(second % 60, UInt8(ascii: "Z"))
            if !fraction.isEmpty {
                count -= 1
                for byte in fraction.utf8.dropFirst() { put(byte) }
                put(UInt8(ascii: "Z"))
            }
            return body(UnsafeBufferPointer(rebasing: text[..<count]))
        }
    }

    /// The instant that a text stands for, in seconds since 2001, or `nil` for other text.
    static func seconds(of text: String) -> Double? {
        var text = text
        return text.withUTF8 { seconds(of: UnsafeRawBufferPointer($0)) }
    }

    /// The instant that a text stands for, in seconds since 2001, or `nil` for other text.
    static func seconds(of text: UnsafeRawBufferPointer) -> Double? {
        guard text.count >= 20, text[text.count - 1] == UInt8(ascii: "Z"),
            text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
            text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"),
            text[16] == UInt8(ascii: ":")
        else { return nil }
        var areDigits = true
        /// The number of two digits.
        func number(at place: Int) -> Int {
            let (tens, ones) = (text[place] &- 0x30, text[place + 1] &- 0x30)
            areDigits = areDigits && tens < 10 && ones < 10
            return Int(tens) * 10 + Int(ones)
        }
        let year = number(at: 0) * 100 + number(at: 2)
        let (month, day) = (number(at: 5), number(at: 8))
        let (hour, minute, second) = (number(at: 11), number(at: 14), number(at: 17))
        guard areDigits, year > 0, (1...12).contains(month), day > 0,
            day <= length(ofMonth: month, year), hour < 24, minute < 60, second < 60
        else { return nil }
        let days = dayNumber(year, month, day) - referenceDay
        let seconds = Double(days * 86_400 + hour * 3600 + minute * 60 + second)
        guard text.count > 20 else { return seconds }
        guard text[19] == UInt8(ascii: "."),
            let fraction = fraction(UnsafeRawBufferPointer(rebasing: text[20..<text.count - 1]))
        else { return nil }
        return seconds + fraction
    }

    /// The number that digits behind a point stand for, or `nil` where there are others, or none.
    private static func fraction(_ digits: UnsafeRawBufferPointer) -> Double? {
        guard !digits.isEmpty, digits.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
        var number: UInt64 = 0
        if digits.count <= 19 {
            for digit in digits { number = number * 10 + UInt64(digit &- 0x30) }
            return JSONReader.decimal(number, exponent: -digits.count)
        }
        return Double("0." + String(decoding: digits, as: UTF8.self))
    }

    private static func length(ofMonth month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
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
