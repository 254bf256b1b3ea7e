import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Members that edit, lose their log, crash and come back, in an order that a seed decides.
///
/// One seed after the other: each has many files open.
@Suite(.serialized) struct RandomSharingTests {
    private static let seeds =
        UInt64(ProcessInfo.processInfo.environment["PLACESKIT_RANDOM_SHARING"] ?? "") ?? 12

    @Test(arguments: 0..<seeds)
    func `all members hold the same when the log has heard all of them`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        try await withTemporaryDirectory { directory in
            let log = MemorySharedLog(faultRate: 0.15, using: SeededGenerator(seed: seed + 1))
            let members = try await open(three: log, in: directory)
            for step in 0..<50 {
                let member = try #require(members.randomElement(using: &random))
                try await act(member, log, step, &random)
                try member.context.checkIntegrity()
            }
            log.settle()
            try await heal(members)
            let content = try members[0].content()
            for member in members {
                #expect(try member.content() == content, "seed \(seed)")
                try await member.close()
                try await member.open()
                #expect(try member.content() == content, "seed \(seed), opened again")
            }
            let newcomer = SharingMember(directory.appending(path: "newcomer"), log)
            try await newcomer.open()
            try await newcomer.synchronize()
            #expect(try newcomer.content() == content, "seed \(seed), come anew")
            #expect(Set(log.commits.map(\.id)).count == log.commits.count, "seed \(seed)")
        }
    }

    @Test(arguments: 0..<seeds)
    func `no save that was on disk is lost or there twice`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        try await withTemporaryDirectory { directory in
            let log = MemorySharedLog(faultRate: 0.2, using: SeededGenerator(seed: seed + 1))
            let members = try await open(three: log, in: directory)
            var saved: [String] = []
            for step in 0..<40 {
                let member = try #require(members.randomElement(using: &random))
                if step % 5 == 0 { log.advance(by: .seconds(6)) }
                switch Int.random(in: 0..<8, using: &random) {
                case 0..<4:
                    let trip = SharingModel.Trip(context: try member.context)
                    trip.title = "trip \(step)"
                    try await member.opened.save()
                    saved.append(trip.title)
                case 4, 5: try await reaching { try await member.synchronize() }
                case 6: try await member.opened.compact()
                default:
                    member.crash()
                    try await member.open()
                }
            }
            log.settle()
            try await heal(members)
            let context = ManagedObjectContext(try members[0].opened.store)
            let titles = try context.fetch(FetchRequest<SharingModel.Trip>()).map(\.title)
            #expect(titles.sorted() == saved.sorted(), "seed \(seed)")
        }
    }

    private nonisolated(nonsending) func open(
        three log: MemorySharedLog, in directory: URL
    ) async throws -> [SharingMember] {
        var members: [SharingMember] = []
        for number in 0..<3 {
            let member = SharingMember(directory.appending(path: "member \(number)"), log)
            while member.document == nil { try await reaching { try await member.open() } }
            members.append(member)
        }
        return members
    }

    /// Does something that may fail since the log is not reached.
    private nonisolated(nonsending) func reaching(
        _ body: nonisolated(nonsending) () async throws -> Void
    ) async throws {
        do { try await body() } catch is MemorySharedLog.Failure {}
    }

    private nonisolated(nonsending) func heal(_ members: [SharingMember]) async throws {
        for _ in 0..<2 {
            for member in members {
                member.connection.heal()
                try member.context.rollback()
                try await member.synchronize()
            }
        }
    }

    private nonisolated(nonsending) func act(
        _ member: SharingMember, _ log: MemorySharedLog, _ step: Int,
        _ random: inout SeededGenerator
    ) async throws {
        if Int.random(in: 0..<6, using: &random) == 0 { log.advance(by: .seconds(6)) }
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<8:
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                try edit(member.context, step, &random)
            }
            let durability = [ManagedDocument.Durability.memory, .system, .disk, .shared]
                .randomElement(using: &random)
            do {
                try await reaching { try await member.opened.save(durability: durability ?? .disk) }
            } catch is ContextError {
                // A rule of the model: the edits are given up.
                try member.context.rollback()
            } catch DocumentError.refused {
                #expect(try !member.sharing.conflicts.isEmpty)
            }
        case 8..<13: try await reaching { try await member.synchronize() }
        case 13: member.connection.cut()
        case 14: member.connection.heal()
        case 15: try await member.opened.flush()
        case 16: try await member.opened.compact()
        case 17: try member.context.refreshAllObjects()
        case 18:
            member.crash()
            try await member.open()
        default:
            try member.context.rollback()
            try await member.close()
            try await member.open()
        }
    }

    private func edit(
        _ context: ManagedObjectContext, _ step: Int, _ random: inout SeededGenerator
    ) throws {
        let (stops, trips) = (
            try context.fetch(FetchRequest<SharingModel.Stop>()),
            try context.fetch(FetchRequest<SharingModel.Trip>())
        )
        let (stop, trip) = (
            stops.randomElement(using: &random), trips.randomElement(using: &random)
        )
        switch Int.random(in: 0..<13, using: &random) {
        case 0, 1, 2:
            let code = "stop \(Int.random(in: 0..<30, using: &random))"
            let stop = try context.findOrInsert(SharingModel.Stop.self, \.code, code)
            stop.title = "new at \(step)"
            stop.trip = trip
        case 3:
            let name = "tag \(Int.random(in: 0..<8, using: &random))"
            let tag = try context.findOrInsert(SharingModel.Tag.self, \.name, name)
            stop?.tags.insert(tag)
        case 4: SharingModel.Trip(context: context).title = "trip \(step)"
        case 5: if let stop { context.delete(stop) }
        case 6: if let trip { context.delete(trip) }
        case 7: stop?.title = "edited at \(step)"
        case 8: stop?.nights = Int.random(in: 0...1000, using: &random)
        case 9: stop?.trip = trip
        case 10:
            guard let trip, trip.stops.count > 1 else { return }
            let positions = 0..<trip.stops.count
            trip.stops.move(
                fromOffsets: [Int.random(in: positions, using: &random)],
                toOffset: Int.random(in: positions, using: &random))
        case 11:
            let guest = SharingModel.Guest(context: context)
            guest.trip = trip
        default: if let stop, let tag = stop.tags.first { stop.tags.remove(tag) }
        }
    }
}
