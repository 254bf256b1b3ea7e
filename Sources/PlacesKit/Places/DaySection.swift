public import Foundation

/// The section of a list for everything that happened on one day.
///
/// Its key is the day itself, as in "2026-03-29", which stays right as time passes. The list shows
/// "Today", "Yesterday" or the date.
///
/// ```swift
/// let recents = try library.recents()
/// for section in recents.snapshot.sections {
///     print(DaySection.title(of: section.name, at: Date(), in: .current))
/// }
/// ```
public enum DaySection {
    /// The key for the day of an instant; empty if there is no instant.
    public static func key(of date: Date?, in calendar: Calendar) -> String {
        guard let date, date > .distantPast, date < .distantFuture else { return "" }
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        let (year, month, day) = (parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
        return "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
    }

    private static func padded(_ number: Int, to length: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, length - digits.utf8.count)) + digits
    }

    /// What a list shows for a key: "Today", "Yesterday", the day itself, or "Never".
    public static func title(of key: String, at now: Date, in calendar: Calendar) -> String {
        if key.isEmpty { return "Never" }
        if key == self.key(of: now, in: calendar) { return "Today" }
        let yesterday = calendar.date(byAdding: .day, value: -1, to: now)
        return key == self.key(of: yesterday, in: calendar) ? "Yesterday" : key
    }
}
