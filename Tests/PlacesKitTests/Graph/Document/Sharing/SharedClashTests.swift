import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// What is made again when new objects became those of others, and which other commits that concerns.
@Suite(.serialized) struct SharedClashTests {
    private typealias Trip = SharingModel.Trip
    private typealias Stop = SharingModel.Stop
    private typealias Tag = SharingModel.Tag
    private typealias Guest = SharingModel.Guest

    /// Lets a second member save out of reach of the log what clashes with a stop of the first, whose trip "Alps" nobody
    /// can delete by then; both hold the same afterwards.
    private nonisolated(nonsending) func clash(
        _ save:
            nonisolated(nonsending) (_ second: SharingMember, _ stop: Stop, _ alps: Trip)
            async throws -> Void,
        _ check: (_ first: SharingMember, [SharedConflict]) throws -> Void
    ) async throws {
        try await withTwoMembers { first, second, log in
            let trip = Trip(context: try first.context)
            trip.title = "Alps"
            try await first.opened.save(durability: .shared)
            try await second.synchronize()
            let context = try second.context
            context.refreshAllObjects()
            second.connection.cut()
            let stop = Stop(context: context)
            stop.code = "x"
            try await second.opened.save()
            let alps = try #require(try context.fetch(FetchRequest<Trip>()).first)
            try await save(second, stop, alps)
            Stop(context: try first.context).code = "x"
            Guest(context: try first.context).trip = trip
            try await first.opened.save(durability: .shared)
            second.connection.heal()
            try await second.synchronize()
            try await first.synchronize()
            #expect(try first.content() == second.content())
            try first.context.refreshAllObjects()
            try check(first, try second.sharing.conflicts)
        }
    }

    private nonisolated(nonsending) func saveTrip(
        _ title: String, by member: SharingMember
    ) async throws {
        Trip(context: try member.context).title = title
        try await member.opened.save()
    }

    private func titles(in member: SharingMember) throws -> [String] {
        try member.context.fetch(FetchRequest<Trip>()).map(\.title).sorted()
    }

    private func stopTitle(in member: SharingMember) throws -> String? {
        try member.context.find(Stop.self, \.code, "x")?.title
    }

    @Test func `a clash keeps no independent save from being shared, though another is refused`()
        async throws
    {
        try await clash { second, _, alps in
            try await saveTrip("Baltic", by: second)
            try second.context.delete(alps)
            try await second.opened.save()
            try await saveTrip("Crete", by: second)
        } _: { first, conflicts in
            let titles = try titles(in: first)
            #expect(conflicts.map(\.change.inserted.count) == [0])
            #expect(titles == ["Alps", "Baltic", "Crete"])
        }
    }

    @Test func `what means an object that became another goes with it, also past other saves`()
        async throws
    {
        try await clash { second, stop, alps in
            try await saveTrip("Baltic", by: second)
            stop.title = "later"
            try await second.opened.save()
            try second.context.delete(alps)
            try await second.opened.save()
            try await saveTrip("Crete", by: second)
        } _: { first, conflicts in
            let titles = try titles(in: first)
            #expect(conflicts.map(\.change.inserted.count) == [0])
            #expect(titles == ["Alps", "Baltic", "Crete"])
            let stopTitle = try stopTitle(in: first)
            #expect(stopTitle == "later")
        }
    }

    @Test func `of saves that go together the one that breaks a rule is refused, and no other`()
        async throws
    {
        try await clash { second, stop, alps in
            stop.title = "first"
            try await second.opened.save()
            stop.title = "second"
            try second.context.delete(alps)
            try await second.opened.save()
            try await saveTrip("Crete", by: second)
            stop.title = "third"
            try await second.opened.save()
        } _: { first, conflicts in
            let titles = try titles(in: first)
            #expect(conflicts.map(\.change.deleted.count) == [1])
            #expect(titles == ["Alps", "Crete"])
            let stopTitle = try stopTitle(in: first)
            #expect(stopTitle == "third")
        }
    }

    @Test func `what means an object that became another is shared though one before is refused`()
        async throws
    {
        try await clash { second, stop, alps in
            let context = try second.context
            // What the refused save links is linked by none after it.
            let tag = Tag(context: context)
            tag.name = "one"
            stop.tags.insert(tag)
            context.delete(alps)
            try await second.opened.save()
            stop.title = "later"
            try await second.opened.save()
            let trip = Trip(context: context)
            (trip.title, stop.trip) = ("Baltic", trip)
            let other = Tag(context: context)
            other.name = "two"
            stop.tags.insert(other)
            try await second.opened.save()
            try await saveTrip("Crete", by: second)
        } _: { first, conflicts in
            #expect(conflicts.map(\.change.deleted.count) == [1])
            let titles = try titles(in: first)
            #expect(titles == ["Alps", "Baltic", "Crete"])
            let stop = try #require(try first.context.find(Stop.self, \.code, "x"))
            #expect(stop.title == "later" && stop.trip?.title == "Baltic")
            #expect(stop.tags.map(\.name) == ["two"] && stop.tagCount == 1)
        }
    }
}
