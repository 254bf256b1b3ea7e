import Foundation

/// Tells in which hour, day, week, month or year of a calendar instants lie.
///
/// Days are counted by the time zone's difference to GMT, and put into weeks, months and years by the
/// calendar of GMT, in which all days are equally long. So an instant has the day that the calendar shows
/// for it, also where a day begins at one o'clock, is left out, or is returned to at a minute past midnight.
/// (Foundation's `dateInterval(of:for:)` has overlapping days and weeks there.)
struct CalendarBuckets {
    /// What a calendar is divided into.
    enum Unit: Sendable {
        case hour, day, week, month, year

        var component: Calendar.Component {
            switch self {
            case .hour: .hour
            case .day: .day
            case .week: .weekOfYear
            case .month: .month
            case .year: .year
            }
        }
    }

    private static let day = 86_400.0
    /// What every calendar knows, in seconds around 2001; beyond it each instant is for itself.
    private static let known = -2e11...1e13

    private let unit: Unit
    private let calendar: Calendar
    private let days: Calendar
    /// The differences to GMT of days of GMT on which they do not change, and the beginnings of buckets
    /// by the days in them: neither is asked for more than once.
    private var offsets: [Int: Double] = [:]
    private var starts: [Int: Double] = [:]

    init(_ unit: Unit, of calendar: Calendar) {
        self.unit = unit
        // What the user sets meanwhile must not give one bucket two beginnings.
        var fixed = calendar == .autoupdatingCurrent ? .current : calendar
        if fixed.timeZone == .autoupdatingCurrent { fixed.timeZone = .current }
        self.calendar = fixed
        fixed.timeZone = .gmt
        days = fixed
    }

    /// When the bucket of a date begins; what is no date stays.
    mutating func start(of value: Datum) -> Datum {
        if case .date(let date) = value { .date(start(of: date)) } else { value }
    }

    private mutating func start(of date: Date) -> Date {
        let time = date.timeIntervalSinceReferenceDate
        guard Self.known.contains(time) else { return date }
        let offset = knownOffset(at: time)
        if unit == .hour {
            return Date(
                timeIntervalSinceReferenceDate: ((time + offset) / 3_600).rounded(.down) * 3_600
                    - offset)
        }
        let day = Int(((time + offset) / Self.day).rounded(.down))
        let start = starts[day] ?? start(ofBucketWith: day)
        starts[day] = start
        return Date(timeIntervalSinceReferenceDate: start)
    }

    private func start(ofBucketWith day: Int) -> Double {
        let noon = Date(timeIntervalSinceReferenceDate: (Double(day) + 0.5) * Self.day)
        let bucket = days.dateInterval(of: unit.component, for: noon)
        // A calendar may begin later than dates do.
        let isKnown = bucket?.contains(noon) ?? false
        let first = (isKnown ? bucket?.start : nil) ?? noon
        // At noon of its first day, for there may be no midnight, or two.
        let local =
            (first.timeIntervalSinceReferenceDate / Self.day).rounded(.down) * Self.day + Self.day
            / 2
        let instant = local - offset(at: local - offset(at: local))
        return calendar.startOfDay(for: Date(timeIntervalSinceReferenceDate: instant))
            .timeIntervalSinceReferenceDate
    }

    private mutating func knownOffset(at time: Double) -> Double {
        let day = (time / Self.day).rounded(.down)
        if let offset = offsets[Int(day)] { return offset }
        let offset = offset(at: time)
        // No time zone goes and returns within a day.
        if self.offset(at: day * Self.day) == offset,
            self.offset(at: (day + 1) * Self.day) == offset
        {
            offsets[Int(day)] = offset
        }
        return offset
    }

    private func offset(at time: Double) -> Double {
        Double(calendar.timeZone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: time)))
    }
}
