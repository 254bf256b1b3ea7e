import Foundation

/// A date as cameras and editors write it: local time, possibly with a fraction and a zone.
struct CaptureTime: Equatable {
    let date: LocalDate
    var nanosecond: Int?
    var secondsFromGMT: Int?

    /// Reads a date of EXIF, "2018:08:25 16:34:33"; nil for the blanks and zeros that mean no date.
    ///
    /// Of a time that cannot be, such as "24:00:00" or "16:34:60", the parts before count that can be,
    /// and so of "2018:08:00". Some programs write a fraction or a zone behind the time, as in XMP.
    init?(exif text: String) {
        let parts = text.split(maxSplits: 1) { $0 == " " || $0 == "T" }
        guard let first = parts.first, var day = Self.numbers(first, ":-/"), day.count == 3
        else { return nil }
        while day.last == 0 { day.removeLast() }
        let rest = parts.count > 1 ? parts[1].drop { $0 == " " } : ""
        let clock = rest.prefix { $0.isNumber || $0 == ":" }
        var time = Self.numbers(clock, ":") ?? []
        if day.count < 3 || !(2...3).contains(time.count) { time = [] }
        let known = [time.count, 2, 0].lazy.compactMap { Self(day + time.prefix($0)) }.first
        guard let known else { return nil }
        self = known
        guard date.precision == .second || date.precision == .minute else { return }
        let tail = rest[clock.endIndex...]
        nanosecond = tail.first == "." ? Self.nanoseconds(tail.dropFirst()) : nil
        secondsFromGMT = Self.offset(tail.drop { $0 == "." || $0 == " " || $0.isNumber })
    }

    /// Reads a date of XMP, which may end after any part: "2018-08-25T16:34:33.5+02:00", "2018-08".
    ///
    /// Some programs write it as in EXIF, or a time that cannot be.
    init?(xmp text: String) {
        guard let time = Self(exactly: text) ?? Self(exif: text) else { return nil }
        self = time
    }

    /// Reads a date in the form of XMP.
    init?(exactly text: String) {
        let parts = text.split(separator: "T", maxSplits: 1)
        guard let first = parts.first, var numbers = Self.numbers(first, "-"), numbers.count <= 3
        else { return nil }
        var fraction = Substring()
        var zone = Substring()
        if parts.count > 1 {
            let zoneStart = parts[1].firstIndex { "Z+-".contains($0) } ?? parts[1].endIndex
            zone = parts[1][zoneStart...]
            let clock = parts[1][..<zoneStart].split(separator: ".", maxSplits: 1)
            guard numbers.count == 3, let first = clock.first,
                let time = Self.numbers(first, ":"), (2...3).contains(time.count)
            else { return nil }
            numbers += time
            if clock.count > 1 { fraction = clock[1] }
        }
        self.init(numbers)
        nanosecond = Self.nanoseconds(fraction)
        secondsFromGMT = Self.offset(zone)
    }

    /// Creates a date from the numbers that are known, from the year to the second.
    private init?(_ numbers: [Int]) {
        func number(_ index: Int, _ standard: Int) -> Int {
            index < numbers.count ? numbers[index] : standard
        }
        let precision: LocalDate.Precision =
            switch numbers.count {
            case 1: .year
            case 2: .month
            case 3: .day
            case 5: .minute
            default: .second
            }
        guard
            let date = LocalDate(
                year: number(0, 0), month: number(1, 1), day: number(2, 1), hour: number(3, 0),
                minute: number(4, 0), second: number(5, 0), precision: precision)
        else { return nil }
        self.date = date
    }

    /// The nanoseconds for the digits after a decimal point.
    static func nanoseconds(_ digits: some StringProtocol) -> Int? {
        let digits = String(digits.prefix { $0.isASCII && $0.isNumber }.prefix(9))
        guard !digits.isEmpty else { return nil }
        return Int(digits + String(repeating: "0", count: 9 - digits.count))
    }

    /// The seconds for "+02:00", "-0330" or "Z"; nil if it is more than 15 hours.
    static func offset(_ text: some StringProtocol) -> Int? {
        guard let sign = text.first else { return nil }
        if sign == "Z" || sign == "z" { return text.count == 1 ? 0 : nil }
        guard sign == "+" || sign == "-" else { return nil }
        let digits = String(text.dropFirst().filter { $0 != ":" })
        guard digits.count == 4 || digits.count == 2, digits.allSatisfy(\.isASCII),
            let hours = Int(digits.prefix(2)), hours >= 0, hours <= 15
        else { return nil }
        let minutes = digits.count == 4 ? Int(digits.suffix(2)) : 0
        guard let minutes, (0..<60).contains(minutes) else { return nil }
        return (sign == "-" ? -1 : 1) * (hours * 3_600 + minutes * 60)
    }

    /// The numbers between separators; nil if there is anything else.
    private static func numbers(_ text: Substring, _ separators: String) -> [Int]? {
        var numbers: [Int] = []
        for part in text.split(
            omittingEmptySubsequences: false, whereSeparator: separators.contains)
        {
            guard part.count <= 4, part.allSatisfy({ $0.isASCII && $0.isNumber }),
                let number = Int(part)
            else { return nil }
            numbers.append(number)
        }
        return numbers
    }
}
