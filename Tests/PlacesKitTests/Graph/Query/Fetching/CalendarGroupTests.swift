import Foundation
import PlacesKit
import Testing

/// Groups by hours, days, weeks, months and years, compared with what calendars say of each date.
@Suite struct CalendarGroupTests {
    final class Visit: ManagedObject {
        @Attribute var date: Date?
        @Attribute var arrival = Date(timeIntervalSinceReferenceDate: 0)
    }

    /// Zones whose days begin at one o'clock, are left out or are returned to after midnight, and whose hours
    /// are shifted by half of one.
    static let zones = [
        "GMT", "Europe/Berlin", "America/Sao_Paulo", "America/Havana", "Pacific/Apia",
        "Australia/Lord_Howe", "Asia/Kathmandu", "America/Toronto", "America/St_Johns",
        "Pacific/Kiritimati", "Asia/Beirut", "Africa/Monrovia",
    ]

    private let context: ManagedObjectContext

    init() throws {
        context = ManagedObjectContext(try GraphStore(model: [Visit.self]))
    }

    private static func calendar(
        _ zone: String, _ identifier: Calendar.Identifier = .gregorian
    ) -> Calendar {
        var calendar = Calendar(identifier: identifier)
        calendar.timeZone = TimeZone(identifier: zone) ?? .gmt
        calendar.firstWeekday = 2
        return calendar
    }

    /// Dates between 1840 and 2160, most of them near to a change of the clocks.
    private static func dates(_ count: Int, _ zone: TimeZone, _ random: inout SplitMix64) -> [Date?]
    {
        var changes: [Double] = []
        var last = Date(timeIntervalSinceReferenceDate: -4e9)
        while changes.count < 300, let next = zone.nextDaylightSavingTimeTransition(after: last),
            next > last
        {
            changes.append(next.timeIntervalSinceReferenceDate)
            last = next
        }
        return (0..<count).map { number in
            let offset = Double(random.below(200_000)) - 100_000
            switch number % 5 {
            case 0: return Date(timeIntervalSinceReferenceDate: offset * 50_000 + 0.25)
            case 1 where number % 3 == 0: return nil
            case 2:
                let quarters = (offset / 900).rounded() * 900
                return Date(timeIntervalSinceReferenceDate: random.pick(changes + [0]) + quarters)
            default:
                return Date(timeIntervalSinceReferenceDate: random.pick(changes + [0]) + offset)
            }
        }
    }

    /// Checks the groups of all visits by a part of a calendar that some components tell.
    private func check(
        _ key: GroupKey<Visit, Date?>, _ components: Set<Calendar.Component>, _ calendar: Calendar,
        _ note: String
    ) throws {
        func parts(_ date: Date?) -> DateComponents? {
            date.map { calendar.dateComponents(components, from: $0) }
        }
        var order: [DateComponents?] = []
        var members: [DateComponents?: [Visit]] = [:]
        for visit in try context.fetch(Visit.self) {
            let parts = parts(visit.date)
            if members[parts] == nil { order.append(parts) }
            members[parts, default: []].append(visit)
        }
        let groups = try context.groups(GroupRequest(by: key, .count, .identifiers, .min(\.date)))
        #expect(groups.map { parts($0.0) } == order, "\(note)")
        #expect(groups.map { $0.1 } == order.map { members[$0]?.count }, "\(note)")
        #expect(groups.map { $0.2 } == order.map { members[$0]?.map(\.objectID) }, "\(note)")
        for (start, _, _, least) in groups {
            guard let start, let least else { continue }
            #expect(start <= least, "\(note): \(start) comes after \(least)")
            #expect(
                parts(start.addingTimeInterval(-1)) != parts(start),
                "\(note): \(start) is not where it begins")
        }
    }

    @Test(arguments: zones)
    func `dates are together where calendars show the same`(zone: String) throws {
        var random = SplitMix64(seed: RunSeed.mixed(7))
        let calendars: [(Calendar.Identifier, Int)] = [
            (.gregorian, 300), (.iso8601, 100), (.hebrew, 60), (.buddhist, 60),
        ]
        for (identifier, count) in calendars {
            let calendar = Self.calendar(zone, identifier)
            try context.deleteAll(Visit.self)
            try context.insert(
                Visit.self, from: Self.dates(count, calendar.timeZone, &random)
            ) { $0.date = $1 }
            let note = "\(identifier)"
            try check(
                .day(\.date, in: calendar), [.era, .year, .month, .day], calendar, "\(note) day")
            try check(
                .month(\.date, in: calendar), [.era, .year, .month], calendar, "\(note) month")
            try check(.year(\.date, in: calendar), [.era, .year], calendar, "\(note) year")
            guard identifier != .hebrew else { continue }
            try check(
                .week(\.date, in: calendar), [.yearForWeekOfYear, .weekOfYear], calendar,
                "\(note) week")
        }
    }

    @Test(arguments: zones)
    func `groups by parts of a calendar stay what they are when asked for again`(
        zone: String
    ) throws {
        var random = SplitMix64(seed: RunSeed.mixed(8))
        let calendar = Self.calendar(zone)
        let dates = Self.dates(60, calendar.timeZone, &random)
        try context.insert(Visit.self, from: dates) { $0.date = $1 }
        let watched = [
            try context.watch("hours", GroupRequest(by: .hour(\Visit.date, in: calendar), .count)),
            try context.watch(
                "days",
                GroupRequest(by: .day(\Visit.date, in: calendar), .count, .identifiers)
                    .sorted(.reverse) { day, _, _ in day }.limited(to: 9)),
            try context.watch(
                "weeks",
                GroupRequest(by: .week(\Visit.date, in: calendar), .count)
                    .having { _, count in count > 1 }),
            try context.watch(
                "months and years",
                GroupRequest(
                    by: .keys(
                        .month(\Visit.arrival, in: calendar), .year(\Visit.date, in: calendar)),
                    .count, .identifiers(first: 2))),
        ]
        #expect(watched.flatMap(\.notKept) == [])
        for batch in 0..<30 {
            for _ in 0..<random.below(4) {
                let visits = Array(try context.fetch(Visit.self))
                let visit = random.below(5) == 0 ? Visit(context: context) : random.pick(visits)
                visit.date = random.pick(dates)
                visit.arrival = random.pick(dates) ?? visit.arrival
                if random.below(6) == 0 { context.delete(random.pick(visits)) }
            }
            context.processPendingChanges()
            let findings = watched.flatMap { $0.takeFindings() }
            #expect(findings.isEmpty, "Batch \(batch): \(findings.prefix(3))")
        }
    }

    @Test func `a day has the hours that it has, and an hour that comes twice is two`() throws {
        let calendar = Self.calendar("Europe/Berlin")
        for (month, day, hours) in [(3, 29, 23), (10, 25, 25)] {
            try context.deleteAll(Visit.self)
            let parts = DateComponents(year: 2026, month: month, day: day - 1)
            let start = try #require(calendar.date(from: parts))
            try context.insert(Visit.self, from: 0..<(4 * (48 + hours))) { visit, quarter in
                visit.arrival = start + Double(quarter) * 900
            }
            let days = try context.groups(
                GroupRequest(by: .day(\Visit.arrival, in: calendar), .count))
            #expect(days.map { $0.1 } == [96, 4 * hours, 96])
            #expect(
                days.map { $0.0 } == [
                    start, start + 86_400, start + 86_400 + Double(hours) * 3_600,
                ])
            let all = try context.groups(
                GroupRequest(by: .hour(\Visit.arrival, in: calendar), .count))
            #expect(all.count == 48 + hours && all.allSatisfy { $0.1 == 4 })
        }
    }

    @Test func `dates beyond all calendars, and what is no date, are keys too`() throws {
        let far: [Double] = [1e13, -2e11, 1e14, -1e14, 1e300, -1e300, .infinity, -.infinity]
        let dates =
            [Date.distantPast, .distantFuture] + far.map(Date.init(timeIntervalSinceReferenceDate:))
        let nan = Date(timeIntervalSinceReferenceDate: .nan)
        try context.insert(Visit.self, from: dates + [nan, nan]) { $0.date = $1 }
        for zone in ["GMT", "Asia/Kathmandu"] {
            for identifier in [Calendar.Identifier.gregorian, .hebrew, .islamicCivil, .japanese] {
                let calendar = Self.calendar(zone, identifier)
                let keys: [GroupKey<Visit, Date?>] = [
                    .hour(\.date, in: calendar), .day(\.date, in: calendar),
                    .week(\.date, in: calendar), .month(\.date, in: calendar),
                    .year(\.date, in: calendar),
                ]
                for key in keys {
                    let groups = try context.groups(GroupRequest(by: key, .count))
                    #expect(groups.map { $0.1 } == Array(repeating: 1, count: 10) + [2])
                    let live = try LiveGroups(GroupRequest(by: key, .count), in: context)
                    #expect(live.groups.map { $0.1 } == groups.map { $0.1 })
                }
            }
        }
    }
}
