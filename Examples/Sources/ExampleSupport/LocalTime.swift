public import Foundation

extension Date {
    /// The days that have a text as a date; what is further away, or not a number, Foundation writes as another one.
    private static let written =
        Date.distantPast..<Date(timeIntervalSinceReferenceDate: 252_423_993_600)

    /// The instant in seconds, where it is before the year 1, after the year 9999, or not a number.
    public var secondsText: String? {
        Self.written.contains(self)
            ? nil : "\(timeIntervalSinceReferenceDate) seconds since 2001"
    }

    /// The day and the minute by the user's clock, as 2026-12-01 14:05.
    public var localText: String {
        if let secondsText { return secondsText }
        let day = text("\(year: .padded(4))-\(month: .twoDigits)-\(day: .twoDigits)")
        let hour = text("\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased))")
        return "\(day) \(hour):\(text("\(minute: .twoDigits)"))"
    }

    /// The instant by the user's clock, as 2026-12-01 14:05:07, with thousandths of a second where it has some.
    public var exactLocalText: String {
        if let secondsText { return secondsText }
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
