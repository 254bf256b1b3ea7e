public import Foundation

extension Date {
    /// The day and the minute by the user's clock, as 2026-12-01 14:05.
    public var localText: String {
        let day = text("\(year: .padded(4))-\(month: .twoDigits)-\(day: .twoDigits)")
        let hour = text("\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased))")
        return "\(day) \(hour):\(text("\(minute: .twoDigits)"))"
    }

    /// The instant by the user's clock, as 2026-12-01 14:05:07, with thousandths of a second where it has some.
    public var exactLocalText: String {
        let fraction = text("\(secondFraction: .fractional(3))")
        let second = text("\(second: .twoDigits)")
        return "\(localText):\(second)\(fraction == "000" ? "" : "." + fraction)"
    }

    private func text(_ format: Date.FormatString) -> String {
        formatted(
            Date.VerbatimFormatStyle(
                format: format, timeZone: .current, calendar: Calendar(identifier: .gregorian)))
    }
}
