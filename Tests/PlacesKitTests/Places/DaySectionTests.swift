import Foundation
import PlacesKit
import Testing

@Suite struct DaySectionTests {
    private func calendar(_ zone: String) throws -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        return calendar
    }

    @Test func `a day is that of the calendar's time zone`() throws {
        let instant = Date(timeIntervalSince1970: 1_774_742_400)  // 2026-03-29, midnight in London
        #expect(DaySection.key(of: instant, in: try calendar("UTC")) == "2026-03-29")
        #expect(DaySection.key(of: instant, in: try calendar("America/Lima")) == "2026-03-28")
    }

    @Test func `days are called today and yesterday while they are, also when clocks change`()
        throws
    {
        let calendar = try calendar("Europe/Berlin")
        // The day of 23 hours.
        let first = Date(timeIntervalSince1970: 1_774_738_800)
        let key = DaySection.key(of: first, in: calendar)
        #expect(key == "2026-03-29")
        for (hours, title) in [(0.0, "Today"), (22.9, "Today"), (23, "Yesterday"), (47, key)] {
            let now = first + hours * 3_600
            #expect(DaySection.title(of: key, at: now, in: calendar) == title)
        }
    }

    @Test func `no instant is never, and far ones do no harm`() throws {
        let calendar = try calendar("UTC")
        #expect(DaySection.key(of: nil, in: calendar) == "")
        #expect(DaySection.key(of: .distantPast, in: calendar) == "")
        #expect(DaySection.key(of: .distantFuture, in: calendar) == "")
        #expect(DaySection.title(of: "", at: Date(), in: calendar) == "Never")
        let early = Date(timeIntervalSince1970: -60_000_000_000)
        #expect(DaySection.key(of: early, in: calendar).hasPrefix("0068-09-"))
    }
}
