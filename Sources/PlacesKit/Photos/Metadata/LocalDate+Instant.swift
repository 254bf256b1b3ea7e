public import Foundation

extension LocalDate {
    /// The instant at which a clock that is this far ahead of Greenwich showed this date.
    ///
    /// It is nil if the date is not known to the minute.
    public func instant(secondsFromGMT: Int) -> Date? {
        guard precision == .second || precision == .minute else { return nil }
        // Days since 1 March of year 0; counted like this, a leap day is the last day of its year.
        let marchMonth = (month + 9) % 12
        let marchYear = year - (month <= 2 ? 1 : 0)
        let days =
            365 * marchYear + marchYear / 4 - marchYear / 100 + marchYear / 400
            + (153 * marchMonth + 2) / 5 + day - 1
        let daysTo1970 = 719_468
        let seconds = hour * 3_600 + minute * 60 + second
        return Date(
            timeIntervalSince1970: Double(days - daysTo1970) * 86_400 + Double(seconds)
                - Double(secondsFromGMT))
    }

    /// The instant at which this date began in Greenwich's time.
    package var startInGreenwich: Date? {
        LocalDate(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second)?
            .instant(secondsFromGMT: 0)
    }
}
