import Foundation

/// Dates as Commons writes them.
enum CommonsDate {
    /// An instant such as "2019-06-02T23:28:55Z"; nil for anything else.
    ///
    /// Foundation does not read it, for it takes 30 February for 2 March.
    static func instant(_ text: String) -> Date? {
        guard let time = CaptureTime(exactly: text), time.date.precision == .second,
            let zone = time.secondsFromGMT
        else { return nil }
        return time.date.instant(secondsFromGMT: zone)
    }

    /// The local time a photo was taken, from free text; nil if its form is not one of the usual.
    ///
    /// The text may contain a date of Wikidata's in hidden markup, such as
    /// `date QS:P,+1891-00-00T00:00:00Z/9`, where 9 means a year, 10 a month and 11 a day.
    static func taken(_ html: String) -> LocalDate? {
        if let match = html.firstMatch(
            of: /QS:P,\+(\d{4})-(\d\d)-(\d\d)T[\d:]+Z\/(\d+)(,P1480,Q5727902)?/)
        {
            return date(match.1, match.2, match.3, code: match.4, isCirca: match.5 != nil)
        }
        let text = PlainText.rendering(html: html)
        // The camera's own date, from its metadata.
        if text.wholeMatch(
            of: /\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?/) != nil
        {
            return CaptureTime(exif: text)?.date
        }
        if let match = text.wholeMatch(of: /(\d{4})-(\d\d)/) {
            return date(match.1, match.2, "00", code: "10", isCirca: false)
        }
        if let match = text.wholeMatch(of: /(c\.|ca\.|cir\.|circa)?\s*(\d{4})/.ignoresCase()) {
            return date(match.2, "00", "00", code: "9", isCirca: match.1 != nil)
        }
        return nil
    }

    private static func date(
        _ year: Substring, _ month: Substring, _ day: Substring, code: Substring, isCirca: Bool
    ) -> LocalDate? {
        let precision: LocalDate.Precision =
            switch Int(code) ?? 0 {
            case _ where isCirca: .circa
            case 11...: .day
            case 10: .month
            case 9: .year
            default: .circa
            }
        return LocalDate(
            year: Int(year) ?? 0, month: max(1, Int(month) ?? 1), day: max(1, Int(day) ?? 1),
            precision: precision)
    }
}
