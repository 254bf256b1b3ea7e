/// The date and time that a photographer's clock showed, without a time zone.
///
/// Cameras and photo services store the time of a shot as local time. So it is not an instant, and
/// cannot become a `Date` unless one invents a zone. Components finer than `precision` are padding.
public struct LocalDate: Sendable, Codable, Hashable {
    /// How much of a local date is known.
    public enum Precision: String, Sendable, Codable, Hashable {
        /// Known to the second.
        case second
        /// Known to the minute.
        case minute
        /// Known to the day.
        case day
        /// Known to the month.
        case month
        /// Known to the year.
        case year
        /// Known to be around the year.
        case circa
    }

    /// The year, from 1 to 9999.
    public let year: Int
    /// The month, from 1 to 12.
    public let month: Int
    /// The day of the month, from 1.
    public let day: Int
    /// The hour, from 0 to 23.
    public let hour: Int
    /// The minute, from 0 to 59.
    public let minute: Int
    /// The second, from 0 to 59.
    public let second: Int
    /// How much of the date is known.
    public let precision: Precision

    /// Creates a local date from its components, or nil if the Gregorian calendar has no such date.
    public init?(
        year: Int, month: Int = 1, day: Int = 1, hour: Int = 0, minute: Int = 0, second: Int = 0,
        precision: Precision = .second
    ) {
        guard (1...9999).contains(year), (1...12).contains(month),
            (1...Self.days(inMonth: month, of: year)).contains(day),
            (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.precision = precision
    }

    /// Reads a local date.
    ///
    /// - Throws: `DecodingError` if the Gregorian calendar has no such date.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func number(_ key: CodingKeys) throws -> Int { try container.decode(Int.self, forKey: key) }
        let date = LocalDate(
            year: try number(.year), month: try number(.month), day: try number(.day),
            hour: try number(.hour), minute: try number(.minute), second: try number(.second),
            precision: try container.decode(Precision.self, forKey: .precision))
        guard let date else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: container.codingPath,
                    debugDescription: "the Gregorian calendar has no such date"))
        }
        self = date
    }

    private static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

extension LocalDate: Comparable {
    /// Compares by the calendar, whatever the precision.
    public static func < (lhs: LocalDate, rhs: LocalDate) -> Bool {
        (lhs.year, lhs.month, lhs.day, lhs.hour, lhs.minute, lhs.second)
            < (rhs.year, rhs.month, rhs.day, rhs.hour, rhs.minute, rhs.second)
    }
}

extension LocalDate: CustomStringConvertible {
    /// The known part of the date.
    ///
    /// It is written as "2018-08-25 16:34:33", "2018-08-25", "2018-08", "2018" or "circa 2018".
    public var description: String {
        let wholeYear = Self.padded(year, to: 4)
        let wholeMonth = "\(wholeYear)-\(Self.padded(month, to: 2))"
        let wholeDay = "\(wholeMonth)-\(Self.padded(day, to: 2))"
        let time = [hour, minute, second].map { Self.padded($0, to: 2) }
        switch precision {
        case .second: return "\(wholeDay) \(time.joined(separator: ":"))"
        case .minute: return "\(wholeDay) \(time.prefix(2).joined(separator: ":"))"
        case .day: return wholeDay
        case .month: return wholeMonth
        case .year: return wholeYear
        case .circa: return "circa \(wholeYear)"
        }
    }

    private static func padded(_ number: Int, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
