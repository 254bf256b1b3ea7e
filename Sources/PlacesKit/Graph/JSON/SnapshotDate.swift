import Foundation
import PlacesBase

/// Instants in snapshot files: ISO 8601 in UTC, with few digits, but so many that reading gives the same
/// instant to the last bit.
///
/// Instants outside the years 1 to 9999, which ISO 8601 has no plain form for, are the number of
/// seconds since 2001-01-01 00:00:00 UTC. The calendar arithmetic is that of Howard Hinnant's
/// "chrono-Compatible Low-Level Date Algorithms".
struct SnapshotDate {
    /// Days from 2001-01-01 to 0001-01-01, and to 10000-01-01.
    private static let days = -730_485..<2_921_574
    /// Days from 1970-01-01 to 2001-01-01.
    private static let referenceDay = 11_323
    /// No text is longer.
    static let textLimit = 48

    private let day: Int
    private let second: Int
    private let fraction: Fraction?

    /// An instant in seconds since 2001, or `nil` where it has no text.
    @inline(__always)
    init?(_ seconds: Double) {
        let whole = seconds.rounded(.down)
        guard whole >= Double(Self.days.lowerBound) * 86_400,
            whole < Double(Self.days.upperBound) * 86_400,
            seconds.bitPattern != (-0.0).bitPattern
        else { return nil }
        if seconds == whole {
            fraction = nil
        } else {
            guard let fraction = Fraction(of: seconds, behind: whole) else { return nil }
            self.fraction = fraction
        }
        let total = Int(whole)
        day = total.floored(86_400)
        second = total - day * 86_400
    }

    /// The text of the instant.
    var text: String {
        var buffer = ByteBuffer()
        buffer.append(upTo: Self.textLimit) { put(at: &$0) }
        return buffer.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    /// Puts the text of the instant.
    @inline(__always)
    func put(at cursor: inout ByteBuffer.Cursor) {
        let (year, month, dayOfMonth) = Self.civil(day + Self.referenceDay)
        func put(_ number: Int, count: Int = 2) {
            cursor.put(digits: UInt64(number), count: count)
        }
        put(year, count: 4)
        cursor.put(UInt8(ascii: "-"))
        put(month)
        cursor.put(UInt8(ascii: "-"))
        put(dayOfMonth)
        cursor.put(UInt8(ascii: "T"))
        put(second / 3600)
        cursor.put(UInt8(ascii: ":"))
        put(second / 60 % 60)
        cursor.put(UInt8(ascii: ":"))
        put(second % 60)
        if let fraction {
            cursor.put(UInt8(ascii: "."))
            cursor.put(digits: fraction.digits, count: fraction.count)
        }
        cursor.put(UInt8(ascii: "Z"))
    }

    /// The digits behind the point.
    private struct Fraction {
        private(set) var digits: UInt64
        private(set) var count: Int

        /// The digits that, added to the whole seconds as `seconds(of:)` does it, give the instant, or `nil`
        /// where none do.
        init?(of seconds: Double, behind whole: Double) {
            let rest = seconds - whole
            // Milliseconds and microseconds first; seven digits are enough from 2018 on, eight from 2003 on.
            for (count, scale) in [(3, 1e3), (6, 1e6), (7, 1e7), (8, 1e8)] {
                let number = (rest * scale).rounded(.toNearestOrEven)
                guard whole + number / scale == seconds else { continue }
                digits = UInt64(number)
                self.count = count
                while digits % 10 == 0 {
                    digits /= 10
                    self.count -= 1
                }
                return
            }
            // Within the second before 2001 a difference of so many bits may not be exact.
            let text = rest.description.utf8
            guard whole + rest == seconds, text.starts(with: "0.".utf8),
                let digits = UInt64(Substring(text.dropFirst(2)))
            else { return nil }
            self.digits = digits
            count = text.count - 2
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
        func number(at offset: Int) -> Int {
            let (tens, ones) = (text[offset] &- 0x30, text[offset + 1] &- 0x30)
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
