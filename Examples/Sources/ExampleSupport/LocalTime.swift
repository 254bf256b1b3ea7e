public import Foundation

extension Date {
    /// The day and the minute by the user's clock, as 2026-12-01 14:05.
    public var localText: String {
        formatted(
            Self.style(
                "\(year: .padded(4))-\(month: .twoDigits)-\(day: .twoDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)"
            ))
    }

    /// The instant by the user's clock, as 2026-12-01 14:05:07, with thousandths of a second where it has some.
    public var exactLocalText: String {
        let text = formatted(
            Self.style(
                "\(year: .padded(4))-\(month: .twoDigits)-\(day: .twoDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits).\(secondFraction: .fractional(3))"
            ))
        return text.hasSuffix(".000") ? String(text.dropLast(4)) : text
    }

    private static func style(_ format: Date.FormatString) -> Date.VerbatimFormatStyle {
        Date.VerbatimFormatStyle(
            format: format, timeZone: .current, calendar: Calendar(identifier: .gregorian))
    }
}
