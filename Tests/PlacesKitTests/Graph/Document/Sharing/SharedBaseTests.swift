import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// A log that has forgotten commits, since it has a base to begin on.
///
/// One test after the other: each has many files open.
@Suite(.serialized) struct SharedBaseTests {
    private typealias Trip = SharingModel.Trip
    private typealias Stop = SharingModel.Stop
    private typealias Guest = SharingModel.Guest

    /// Saves a trip with each of some titles, and lets the log forget the commits but the last one.
    private nonisolated(nonsending) func saveAndForget(
        _ titles: [String], by member: SharingMember, _ log: MemorySharedLog
    ) async throws {
        for title in titles {
            Trip(context: try member.context).title = title
            try await member.opened.save(durability: .shared)
        }
        log.advance(by: .seconds(11))
        try await member.opened.compact()
        try await member.synchronize()
        #expect(log.commits.count == 1)
    }

    private func titles(of member: SharingMember) throws -> [String] {
        try ManagedObjectContext(member.opened.store).fetch(FetchRequest<Trip>()).map(\.title)
            .sorted()
    }

    @Test func `who comes anew begins on the base, and goes on from there`() async throws {
        try await withTwoMembers { first, second, log in
            let stop = Stop(context: try first.context)
            (stop.code, stop.trip) = ("a", Trip(context: try first.context))
            stop.trip?.title = "Alps"
            try await saveAndForget(["Baltic", "Crete"], by: first, log)
            let newcomer = SharingMember(first.url.appendingPathExtension("new"), log)
            try await newcomer.open()
            #expect(try newcomer.content() == first.content())
            try await saveAndForget(["Danube"], by: newcomer, log)
            try await first.synchronize()
            try newcomer.context.refreshAllObjects()
            #expect(try titles(of: first) == ["Alps", "Baltic", "Crete", "Danube"])
            try await newcomer.close()
            try await newcomer.open()
            #expect(try newcomer.content() == first.content())
        }
    }

    @Test func `who was away for long begins on the base, and keeps objects and own commits`()
        async throws
    {
        try await withTwoMembers { first, second, log in
            let trip = Trip(context: try first.context)
            trip.title = "Alps"
            try await first.opened.save(durability: .shared)
            try await second.synchronize()
            try second.context.refreshAllObjects()
            let known = try #require(
                try second.context.fetch(FetchRequest<Trip>()).first)
            second.connection.cut()
            Stop(context: try second.context).code = "own"
            known.title = "Alps again"
            try await second.opened.save()
            try await saveAndForget(["Baltic", "Crete"], by: first, log)
            second.connection.heal()
            var commits = try second.opened.store.commits.makeAsyncIterator()
            try await second.synchronize()
            #expect(await commits.next()?.objects.inserted.count == 2)
            try second.context.refreshAllObjects()
            #expect(known.objectID == trip.objectID)
            #expect(known.title == "Alps again")
            #expect(try titles(of: second) == ["Alps again", "Baltic", "Crete"])
            try await first.synchronize()
            #expect(try first.content() == second.content())
            second.crash()
            try await second.open()
            #expect(try first.content() == second.content())
        }
    }

    @Test(arguments: [false, true])
    func `a commit whose answer was lost is not there twice, though the log has forgotten it`(
        isOpenedAgain: Bool
    ) async throws {
        try await withTemporaryDirectory { directory in
            // Two members ask for numbers, a base and, the first one, for commits that it may add.
            let log = MemorySharedLog(script: [[], [], [], [], [.answerLost]])
            let first = SharingMember(directory.appending(path: "first"), log)
            let second = SharingMember(directory.appending(path: "second"), log)
            try await first.open()
            try await second.open()
            Trip(context: try first.context).title = "Alps"
            await #expect(throws: MemorySharedLog.Failure.self) {
                try await first.opened.save(durability: .shared)
            }
            first.connection.cut()
            Trip(context: try first.context).title = "Crete"
            try await first.opened.save()
            try await second.synchronize()
            try await saveAndForget(["Baltic"], by: second, log)
            if isOpenedAgain {
                first.crash()
                try await first.open()
            }
            first.connection.heal()
            try await first.synchronize()
            try await second.synchronize()
            for member in [first, second] {
                #expect(try titles(of: member) == ["Alps", "Baltic", "Crete"])
            }
        }
    }

    @Test func `what breaks a rule on the base is kept apart`() async throws {
        try await withTwoMembers { first, second, log in
            let trip = Trip(context: try first.context)
            trip.title = "Alps"
            try await first.opened.save(durability: .shared)
            try await second.synchronize()
            second.connection.cut()
            try second.context.refreshAllObjects()
            let known = try #require(try second.context.fetch(FetchRequest<Trip>()).first)
            try second.context.delete(known)
            try await second.opened.save()
            Guest(context: try first.context).trip = trip
            try await saveAndForget(["Baltic"], by: first, log)
            second.connection.heal()
            try await second.synchronize()
            #expect(try second.sharing.conflicts.count == 1)
            #expect(try titles(of: second) == ["Alps", "Baltic"])
            #expect(try first.content() == second.content())
        }
    }

    @Test func `commits stay as long as they are young, and without a snapshot`() async throws {
        try await withTwoMembers { first, second, log in
            for title in ["Alps", "Baltic", "Crete"] {
                Trip(context: try first.context).title = title
                try await first.opened.save(durability: .shared)
            }
            log.advance(by: .seconds(9))
            try await first.opened.compact()
            try await first.synchronize()
            #expect(log.commits.count == 3)
            log.advance(by: .seconds(20))
            try await first.synchronize()
            #expect(log.commits.count == 3)
            try await second.synchronize()
            #expect(try first.content() == second.content())
        }
    }

    @Test func `of members that write snapshots one gives the log a base`() async throws {
        try await withTwoMembers { first, second, log in
            try await saveAndForget(["Alps", "Baltic"], by: first, log)
            let base = try #require(try await first.connection.base(after: 0))
            #expect(base.number == 2)
            Trip(context: try first.context).title = "Crete"
            try await first.opened.save(durability: .shared)
            try await second.synchronize()
            try await second.opened.compact()
            try await second.synchronize()
            #expect(try await first.connection.base(after: 0)?.number == 2)
        }
    }

    @Test func `a member of another model begins on no base`() async throws {
        try await withTwoMembers { first, second, log in
            try await saveAndForget(["Alps"], by: first, log)
            try await withTemporaryDirectory { directory in
                let error = await #expect(throws: DocumentError.self) {
                    try await ManagedDocument.open(
                        at: directory.appending(path: "other"), model: [Picture.self],
                        sharing: log.connection())
                }
                guard case .differentModel(let file, _)? = error else { throw Unexpected(error) }
                #expect(file == "the base at commit 1 of the shared log")
            }
        }
    }

    @Test(arguments: 0..<20)
    func `a base that was damaged changes nothing`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        try await withTwoMembers { first, second, log in
            try await saveAndForget(["Alps", "Baltic"], by: first, log)
            var bytes: [UInt8] = []
            if let base = try await first.connection.base(after: 0) {
                for try await part in base.parts { bytes += part }
            }
            if Bool.random(using: &random) {
                let index = Int.random(in: bytes.indices, using: &random)
                bytes[index] ^= 1 << Int.random(in: 0..<8, using: &random)
            } else {
                bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
            }
            let damaged = log.connection()
            Trip(context: try first.context).title = "Crete"
            try await first.opened.save(durability: .shared)
            let parts = AsyncThrowingStream<Data, any Error> { [bytes] parts in
                parts.yield(Data(bytes))
                parts.finish()
            }
            try await damaged.keep(
                SharedBase(number: 3, parts: parts, values: []), forgettingAfter: .seconds(5))
            Trip(context: try second.context).title = "own"
            try await second.opened.save()
            let error = await #expect(throws: DocumentError.self, "seed \(seed)") {
                try await second.synchronize()
            }
            guard case .damaged(let file, _)? = error
            else { throw Unexpected("\(error as Any), seed \(seed)") }
            #expect(file == "the base at commit 3 of the shared log")
            #expect(try titles(of: second) == ["own"])
        }
    }

    final class Picture: ManagedObject {
        @Attribute(.externalStorage) var bytes = Data()
    }

    @Test func `bytes with external storage are in the base; without them there is none`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            let log = MemorySharedLog()
            func open(_ name: String) async throws -> ManagedDocument {
                try await ManagedDocument.open(
                    at: directory.appending(path: name), model: [Picture.self],
                    options: .exchangedByHand { $0.onUnreadableData = { _ in } },
                    sharing: log.connection())
            }
            let first = try await open("first")
            let bytes = Data(repeating: 7, count: 100_000)
            Picture(context: first.viewContext).bytes = bytes
            try await first.save(durability: .shared)
            try await first.compact()
            try await first.sharing?.synchronize()
            let second = try await open("second")
            let pictures = try second.viewContext.fetch(FetchRequest<Picture>())
            #expect(pictures.map(\.bytes) == [bytes])
            let files = directory.appending(path: "second/blobs")
            for name in try FileManager.default.contentsOfDirectory(atPath: files.path) {
                try FileManager.default.removeItem(at: files.appending(path: name))
            }
            // Whoever opens it anew does not know which bytes they were.
            try await second.close()
            let again = try await open("second")
            Picture(context: again.viewContext).bytes = Data([1])
            try await again.save(durability: .shared)
            try await again.compact()
            try await again.sharing?.synchronize()
            #expect(try await log.connection().base(after: 0)?.number == 1)
        }
    }
}
