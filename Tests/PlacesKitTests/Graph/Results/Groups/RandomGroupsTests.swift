import Foundation
import PlacesKit
import Testing

/// Live groups and totals over long runs of random changes, the time among them.
///
/// `PLACESKIT_RANDOM_BATCHES` says how long.
@Suite struct RandomGroupsTests {
    private static let batches =
        ProcessInfo.processInfo.environment["PLACESKIT_RANDOM_BATCHES"].flatMap(Int.init) ?? 160

    private func watch(_ context: ManagedObjectContext) throws -> [WatchedGroups] {
        let even = FetchRequest<Specimen>(predicate: #Predicate { $0.flag })
        let open = FetchRequest<Specimen>(predicate: #Predicate { $0.shelf?.room?.isOpen == true })
        let sorted = FetchRequest<Specimen>(
            sortBy: [SortDescriptor(\.maybeSmall), SortDescriptor(\.shelf?.name, order: .reverse)])
        var all: [WatchedGroups] = []
        all.append(
            try context.watch(
                "every sum",
                GroupRequest(
                    by: \Specimen.maybeFlag, .count, .sum(\.integer), .sum(\.maybeDouble),
                    .sum(\.float), .sum(\.big), .average(\.small), .average(\.double),
                    .average(\.maybeBig))))
        all.append(
            try context.watch(
                "every extreme",
                GroupRequest(
                    of: open, by: \Specimen.shelf?.name, .min(\.maybeInteger), .max(\.maybeDouble),
                    .min(\.text), .max(\.maybeText), .min(\.date), .max(\.maybeUUID),
                    .max(\.maybeData), .min(\.decimal), .max(\.maybeDecimal), .min(\.flag),
                    .max(\.big), .max(\Specimen.shelf?.room?.area))))
        all.append(
            try context.watch(
                "distinct",
                GroupRequest(
                    of: even, by: \Specimen.shelf?.room?.name, .countDistinct(\.maybeDouble),
                    .countDistinct(\.maybeText), .countDistinct(\.shelf),
                    .countDistinct(\.maybeMood),
                    .countDistinct(\.tags.count), .countDistinct(\.decimal))))
        all.append(
            try context.watch(
                "top",
                GroupRequest(by: \Specimen.shelf?.name, .countDistinct(\.maybeText))
                    .sorted(.reverse) { _, texts in texts }.sorted { name, _ in name }
                    .limited(to: 3)))
        all.append(
            try context.watch(
                "having",
                GroupRequest(by: \Specimen.maybeDouble, .count, .average(\.double))
                    .having { _, count, _ in count > 3 }
                    .sorted { _, _, average in average }))
        all.append(
            try context.watch(
                "several keys",
                GroupRequest(
                    by: .keys(
                        \Specimen.shelf?.room?.name, \.flag, \.maybeMood, \.tags.count), .count,
                    .identifiers, .max(\.text)
                )
                .having { keys, count, _, _ in
                    let (_, flag, _, _) = keys.values
                    return count > 1 || flag
                }
                .sorted(.reverse) { _, count, _, _ in count }))
        var calendar = Calendar(identifier: .gregorian)
        for zone in ["Europe/Berlin", "Pacific/Kiritimati", "America/St_Johns"] {
            calendar.timeZone = TimeZone(identifier: zone) ?? .gmt
            all.append(
                try context.watch(
                    "days in \(zone)",
                    GroupRequest(
                        of: sorted, by: .day(\.maybeDate, in: calendar), .identifiers(first: 2))))
            let months = GroupRequest(
                of: even,
                by: .keys(
                    .month(\Specimen.date, in: calendar), .value(\Specimen.shelf?.name),
                    .week(\Specimen.maybeDate, in: calendar)),
                .count)
            all.append(
                try context.watch(
                    "months in \(zone)",
                    months.having { keys, _ in keys.values.1 != "plain" }
                        .sorted { keys, _ in keys.values.0 }.limited(to: 4)))
        }
        all.append(
            try context.watch(
                "members", GroupRequest(of: sorted, by: \.maybeFlag, .identifiers, .count)))
        all.append(try context.watch("by date", GroupRequest(by: \Specimen.maybeDate, .count)))
        all.append(
            try context.watch("by number of tags", GroupRequest(by: \Specimen.tags.count, .count)))
        all.append(
            try context.watch(
                "in an order", GroupRequest(of: sorted, by: \Specimen.mood, .count)))
        all.append(
            try context.watch(
                "many groups",
                GroupRequest(by: \Specimen.objectID, .max(\.tags.count))
                    .sorted(.reverse) { _, tags in tags }.limited(to: 7)))
        all.append(
            try context.watch("computed", GroupRequest(of: even, by: \Specimen.shout, .count)))
        all.append(
            try context.watch(
                "asked again",
                GroupRequest(
                    of: even, by: \Specimen.flag, .sum(\.maybeDecimal), .max(\.mood),
                    .max(\.doubled))))
        all.append(
            try context.watch(
                "not compiled",
                GroupRequest(
                    of: FetchRequest<Specimen>(predicate: #Predicate { $0.doubled > 3 }),
                    by: \Specimen.maybeSmall, .count, .sum(\.integer))))
        all.append(
            try context.watch(
                "limited",
                GroupRequest(
                    of: FetchRequest<Specimen>(sortBy: [SortDescriptor(\.text)], limit: 20),
                    by: \Specimen.flag, .count, .identifiers)))
        all.append(
            try context.watchTotal(
                "total", even, .count, .sum(\.maybeDouble), .max(\.maybeText),
                .countDistinct(\Specimen.shelf?.name)))
        all.append(
            try context.watchTotal(
                "few",
                FetchRequest<Specimen>(
                    predicate: #Predicate { $0.integer == 40 && $0.flag && $0.small == 500 }),
                .count, .min(\.text)))
        all.append(try context.watchTotal("all in order", sorted, .identifiers(first: 5)))
        all.append(try context.watchTotal("asked total", even, .count, .sum(\.decimal)))
        return all
    }

    @Test(arguments: UInt64(1)...4)
    func `random changes of objects keep groups as they are asked for`(seed: UInt64) throws {
        var world = try SpecimenWorld(seed: seed, saved: 40)
        let watched = try watch(world.context)
        #expect(
            watched.filter { !$0.notKept.isEmpty }.map(\.name)
                == ["computed", "asked again", "not compiled", "limited", "asked total"])
        for batch in 0..<Self.batches / 4 {
            for _ in 0..<world.random.below(5) { try world.change() }
            switch world.random.below(12) {
            case 0: world.context.rollback()
            default: world.context.processPendingChanges()
            }
            let findings = watched.flatMap { $0.takeFindings() }
            #expect(findings.isEmpty, "Seed \(seed), batch \(batch): \(findings.prefix(3))")
            guard findings.isEmpty else { return }
        }
    }

    @Test(arguments: UInt64(1)...4)
    func `time passes for groups as for fetches, and none changes in a sleep`(seed: UInt64) throws {
        typealias Photo = TimedModel.Photo
        var world = try TimedWorld(seed: seed)
        let watched = try TimedModel.requests.flatMap { name, request in
            [
                try world.context.watch(
                    "groups, \(name)",
                    GroupRequest(
                        of: request, by: \Photo.takenAt?.name, .count, .max(\.lastViewed)
                    )
                    .sorted(.reverse) { _, count, _ in count }.limited(to: 2)),
                try world.context.watchTotal("total, \(name)", request, .count, .min(\.title)),
            ]
        }
        for batch in 0..<Self.batches / 4 {
            if Int.random(in: 0..<3, using: &world.generator) == 0 { try world.edit() }
            world.wait(until: watched.compactMap { $0.nextChange() }.min())
            world.context.processPendingChanges()
            var findings = watched.flatMap { $0.takeFindings() }
            let now = world.time.now
            for groups in watched {
                guard let next = groups.nextChange() else { continue }
                if next <= now { findings.append("\(groups.name): \(next) is not to come") }
                world.time.now = Date(
                    timeIntervalSinceReferenceDate: next.timeIntervalSinceReferenceDate.nextDown)
                if !groups.isFresh() { findings.append("\(groups.name): changes before \(next)") }
            }
            world.time.now = now
            #expect(findings.isEmpty, "Seed \(seed), batch \(batch): \(findings.prefix(3))")
            guard findings.isEmpty else { return }
        }
    }
}
