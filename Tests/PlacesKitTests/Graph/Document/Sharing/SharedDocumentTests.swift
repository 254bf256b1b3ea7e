import Foundation
import Observation
import PlacesKit
import PlacesKitTesting
import Testing

/// A document that several processes share by a log.
///
/// One test after the other: each has many files open.
@Suite(.serialized) struct SharedDocumentTests {
    private typealias Trip = SharingModel.Trip
    private typealias Stop = SharingModel.Stop
    private typealias Tag = SharingModel.Tag
    private typealias Guest = SharingModel.Guest

    @Test func `what one saves the others see, as a commit with its author`() async throws {
        try await withTwoMembers { first, second, log in
            let trip = Trip(context: try first.context)
            trip.title = "Alps"
            try first.context.transactionAuthor = "Ann"
            try await first.opened.save(durability: .shared)
            #expect(log.commits.count == 1)
            var commits = try second.opened.store.commits.makeAsyncIterator()
            try second.opened.store.historyLimit = 2
            try await second.synchronize()
            let commit = try #require(await commits.next())
            #expect(commit.objects.inserted == [trip.objectID])
            #expect(try second.opened.store.history.last?.author == "Ann")
            try second.context.refreshAllObjects()
            #expect(try second.context.fetch(FetchRequest<Trip>()).map(\.title) == ["Alps"])
            #expect(try second.sharing.state == .upToDate)
        }
    }

    @MainActor @Test func `a save that fails in the log comes back to the caller's actor`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            let member = SharingMember(directory.appending(path: "first"), MemorySharedLog())
            try await member.open()
            let document = try member.opened
            _ = Trip(context: document.viewContext)
            member.connection.cut()
            do {
                try await document.save(durability: .shared)
                Issue.record("The log was reached.")
            } catch {
                #expect(isOnMainQueue)
            }
        }
    }

    @Test func `it exchanges commits by itself`() async throws {
        try await withTemporaryDirectory { directory in
            let log = MemorySharedLog()
            let first = try await ManagedDocument.open(
                at: directory.appending(path: "first"), model: SharingModel.classes,
                sharing: log.connection())
            let second = try await ManagedDocument.open(
                at: directory.appending(path: "second"), model: SharingModel.classes,
                sharing: log.connection())
            var commits = second.store.commits.makeAsyncIterator()
            let trip = Trip(context: first.viewContext)
            try first.viewContext.save()
            #expect(await commits.next()?.objects.inserted == [trip.objectID])
            try await first.close()
            try await second.close()
        }
    }

    @Test func `saves on many threads of two members are all in both`() async throws {
        try await withTemporaryDirectory { directory in
            let log = MemorySharedLog()
            var documents: [ManagedDocument] = []
            for name in ["first", "second"] {
                documents.append(
                    try await ManagedDocument.open(
                        at: directory.appending(path: name), model: SharingModel.classes,
                        sharing: log.connection()))
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, store) in documents.map(\.store).enumerated() {
                    for save in 0..<40 {
                        group.addTask {
                            try await store.perform { context in
                                let trip = Trip(context: context)
                                trip.title = "\(number)/\(save)"
                                Guest(context: context).trip = trip
                                try context.save()
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            for document in documents + documents { try await document.sharing?.synchronize() }
            let expected = (0..<2).flatMap { number in (0..<40).map { "\(number)/\($0)" } }
            for document in documents {
                try document.store.snapshot().checkIntegrity()
                let context = ManagedObjectContext(document.store)
                let trips = try context.fetch(FetchRequest<Trip>())
                #expect(trips.map(\.title).sorted() == expected.sorted())
                #expect(trips.allSatisfy { $0.guests.count == 1 })
                try await document.close()
            }
        }
    }

    @Test func `what is saved out of reach of the log is shared later`() async throws {
        try await withTwoMembers { first, second, log in
            first.connection.cut()
            Trip(context: try first.context).title = "Alps"
            try await first.opened.save()
            #expect(try first.sharing.state == .behind(1))
            await #expect(throws: MemorySharedLog.Failure.self) { try await first.synchronize() }
            guard case .offline = try first.sharing.state
            else { throw Unexpected(try first.sharing.state) }
            first.crash()
            try await first.open()
            #expect(try first.context.fetch(FetchRequest<Trip>()).map(\.title) == ["Alps"])
            #expect(try first.sharing.state == .behind(1))
            first.connection.heal()
            try await first.synchronize()
            try await second.synchronize()
            #expect(try first.content() == second.content())
            #expect(log.commits.count == 1)
        }
    }

    @Test func `whoever is told of a state finds it so, and not as it was`() async throws {
        try await withTwoMembers { first, _, _ in
            let told = ToldStates(try first.sharing)
            first.connection.cut()
            told.observe()
            await #expect(throws: MemorySharedLog.Failure.self) { try await first.synchronize() }
            first.connection.heal()
            told.observe()
            try await first.synchronize()
            let states = told.states
            try #require(states.count == 2)
            guard case .offline = states[0] else { throw Unexpected(states[0]) }
            #expect(states[1] == .upToDate)
        }
    }

    @Test func `a new document has one generation`() async throws {
        try await withTwoMembers { first, _, _ in
            let names = try FileManager.default.contentsOfDirectory(atPath: first.url.path)
            #expect(
                names.filter { $0.hasPrefix("snapshot-") || $0.hasPrefix("journal-") }.sorted()
                    == ["journal-1.jsonl", "snapshot-1.json"])
        }
    }

    @Test func `an answer that is lost makes no commit twice`() async throws {
        try await withTemporaryDirectory { directory in
            // The first request asks for numbers, the second for a base, the third for commits.
            let log = MemorySharedLog(script: [[], [], [.answerLost]])
            let member = SharingMember(directory.appending(path: "member"), log)
            try await member.open()
            Trip(context: try member.context).title = "Alps"
            await #expect(throws: MemorySharedLog.Failure.self) {
                try await member.opened.save(durability: .shared)
            }
            try await member.opened.save(durability: .shared)
            #expect(log.commits.count == 1)
            #expect(try member.context.fetch(FetchRequest<Trip>()).count == 1)
        }
    }

    @Test(arguments: [
        (MergePolicy.mergeByPropertyObjectTrump, "second"),
        (.mergeByPropertyStoreTrump, "first"),
    ])
    func `a property that both wrote has the value that the policy says, others have both`(
        policy: MergePolicy, title: String
    ) async throws {
        try await withTwoMembers(policy) { first, second, _ in
            let stop = Stop(context: try first.context)
            stop.code = "a"
            try await first.opened.save(durability: .shared)
            try await second.synchronize()
            try second.context.refreshAllObjects()
            let other = try #require(try second.context.find(Stop.self, \.code, "a"))
            stop.title = "first"
            stop.nights = 3
            other.title = "second"
            try await first.opened.save(durability: .shared)
            try await second.opened.save(durability: .shared)
            try await first.synchronize()
            #expect(try first.content() == second.content())
            try first.context.refreshAllObjects()
            #expect((stop.title, stop.nights) == (title, 3))
        }
    }

    @Test func `new objects with one unique value become one, with what came later`() async throws {
        try await withTwoMembers { first, second, _ in
            let tag = Tag(context: try first.context)
            tag.name = "sea"
            try await first.opened.save(durability: .shared)
            second.connection.cut()
            let twin = Tag(context: try second.context)
            twin.name = "sea"
            try await second.opened.save()
            let stop = Stop(context: try second.context)
            stop.code = "a"
            stop.tags.insert(twin)
            try await second.opened.save()
            second.connection.heal()
            try await second.synchronize()
            try await first.synchronize()
            try first.context.refreshAllObjects()
            #expect(tag.stops.map(\.objectID) == [stop.objectID])
            #expect(try first.content() == second.content())
            #expect(try second.sharing.conflicts.isEmpty)
        }
    }

    /// Lets a member reach the log again, of whose commits some are refused; both hold the same then.
    private nonisolated(nonsending) func reunite(
        _ first: SharingMember, _ second: SharingMember, conflicts count: Int
    ) async throws {
        second.connection.heal()
        try await second.synchronize()
        #expect(try second.sharing.conflicts.count == count)
        try await first.synchronize()
        #expect(try first.content() == second.content())
    }

    @Test func `what breaks a rule now is kept apart, with what needs its objects`() async throws {
        try await withTwoMembers { first, second, log in
            let trip = Trip(context: try first.context)
            try await first.opened.save(durability: .shared)
            try await second.synchronize()
            try second.context.refreshAllObjects()
            second.connection.cut()
            let other = try #require(try second.context.fetch(FetchRequest<Trip>()).first)
            let fresh = Trip(context: try second.context)
            try second.context.delete(other)
            try await second.opened.save()
            Guest(context: try second.context).trip = fresh
            try await second.opened.save()
            Trip(context: try second.context).title = "independent"
            try await second.opened.save()
            // A guest forbids to delete the trip.
            Guest(context: try first.context).trip = trip
            try await first.opened.save(durability: .shared)
            second.connection.heal()
            try await second.synchronize()
            let conflicts = try second.sharing.conflicts
            #expect(conflicts.count == 2)
            #expect(conflicts.first?.change.deleted == [trip.objectID])
            #expect(conflicts.last?.change.inserted.map(\.id.entity) == ["Guest"])
            #expect(log.commits.count == 3)
            try await first.synchronize()
            #expect(try first.content() == second.content())
            second.crash()
            try await second.open()
            #expect(try second.sharing.conflicts.map(\.id) == conflicts.map(\.id))
            try second.sharing.dismiss(conflicts[0])
            try await second.close()
            try await second.open()
            #expect(try second.sharing.conflicts.map(\.id) == [conflicts[1].id])
        }
    }

    @Test
    func `what a refused commit did is in none that comes after it, also if objects became others`()
        async throws
    {
        try await withTwoMembers { first, second, _ in
            let (trip, kept) = (Trip(context: try first.context), Trip(context: try first.context))
            let (stop, tag) = (Stop(context: try first.context), Tag(context: try first.context))
            (trip.title, kept.title, stop.code, tag.name) = ("denied", "kept", "old", "sea")
            try await first.opened.save(durability: .shared)
            try await second.synchronize()
            try second.context.refreshAllObjects()
            second.connection.cut()
            let context = try second.context
            func own<Object: ManagedObject>(_ object: Object) throws -> Object {
                try #require(context.object(with: object.objectID) as? Object)
            }
            context.delete(try own(trip))
            let fresh = Trip(context: context)
            try await second.opened.save()
            // It becomes that of the other.
            Stop(context: context).code = "a"
            try own(kept).title = "A"
            try await second.opened.save()
            fresh.title = "fresh"
            try own(stop).tags.insert(try own(tag))
            try own(kept).title = "B"
            try await second.opened.save()
            Trip(context: context).title = "independent"
            try await second.opened.save()
            Guest(context: try first.context).trip = trip
            Stop(context: try first.context).code = "a"
            try await first.opened.save(durability: .shared)
            try await reunite(first, second, conflicts: 2)
            try first.context.refreshAllObjects()
            #expect(kept.title == "A")
            #expect(stop.tags.isEmpty)
            let titles = try ManagedObjectContext(first.opened.store).fetch(FetchRequest<Trip>())
                .map(\.title).sorted()
            #expect(titles == ["A", "denied", "independent"])
        }
    }

    /// A boat that says itself how many go into it.
    private final class Boat: ManagedObject {
        @Attribute var name = ""
        @Relationship var people: ObjectSet<Person>

        struct IsFull: Error {}
        override func validate() throws { if people.count > 2 { throw IsFull() } }
    }

    private final class Person: ManagedObject {
        @Attribute var name = ""
        @Relationship(inverse: \Boat.people) var boat: Boat?
    }

    @Test func `what an object refuses by itself is kept apart when it is made again`() async throws
    {
        try await withTemporaryDirectory { directory in
            let log = MemorySharedLog()
            let options = ManagedDocument.Options.exchangedByHand()
            let (ann, ben) = (
                try await ManagedDocument.open(
                    at: directory.appending(path: "ann"), model: [Boat.self, Person.self],
                    options: options, sharing: log.connection()),
                try await ManagedDocument.open(
                    at: directory.appending(path: "ben"), model: [Boat.self, Person.self],
                    options: options, sharing: log.connection())
            )
            func board(_ name: String, _ document: ManagedDocument) throws {
                document.viewContext.refreshAllObjects()
                let person = Person(context: document.viewContext)
                person.name = name
                let boats = try document.viewContext.fetch(FetchRequest<Boat>())
                person.boat = boats.first ?? Boat(context: document.viewContext)
            }
            try board("Ann", ann)
            try await ann.save(durability: .shared)
            try await ben.sharing?.synchronize()
            try board("Ada", ann)
            try board("Ben", ben)
            try await ann.save(durability: .shared)
            await #expect(throws: DocumentError.self) { try await ben.save(durability: .shared) }
            let conflict = try #require(ben.sharing?.conflicts.first)
            #expect(conflict.reason.contains("IsFull"))
            for document in [ann, ben] {
                try await document.sharing?.synchronize()
                document.viewContext.refreshAllObjects()
                let names = try document.viewContext.fetch(FetchRequest<Person>()).map(\.name)
                #expect(names.sorted() == ["Ada", "Ann"])
            }
        }
    }

    @Test func `what only keeps a link that a refused commit made is made again`() async throws {
        try await withTwoMembers { first, second, _ in
            let trip = Trip(context: try first.context)
            Guest(context: try first.context).trip = Trip(context: try first.context)
            try await first.opened.save(durability: .shared)
            try await second.synchronize()
            try second.context.refreshAllObjects()
            second.connection.cut()
            let guest = try #require(try second.context.fetch(FetchRequest<Guest>()).first)
            let other = try #require(try second.context.object(with: trip.objectID) as? Trip)
            let fresh = Trip(context: try second.context)
            try second.context.delete(other)
            try await second.opened.save()
            guest.trip = fresh
            try await second.opened.save()
            guest.name = "Ann"
            try await second.opened.save()
            // A guest forbids to delete the trip.
            Guest(context: try first.context).trip = trip
            try await first.opened.save(durability: .shared)
            try await reunite(first, second, conflicts: 2)
            let names = try ManagedObjectContext(first.opened.store).fetch(FetchRequest<Guest>())
                .map(\.name)
            #expect(names.sorted() == ["", "Ann"])
        }
    }

    @Test func `a save that waits for the log is told that it was refused`() async throws {
        try await withTwoMembers(.error) { first, second, _ in
            let trip = Trip(context: try first.context)
            try await first.opened.save(durability: .shared)
            try await second.synchronize()
            try second.context.refreshAllObjects()
            let other = try #require(try second.context.fetch(FetchRequest<Trip>()).first)
            trip.title = "first"
            try await first.opened.save(durability: .shared)
            other.title = "second"
            let error = await #expect(throws: DocumentError.self) {
                try await second.opened.save(durability: .shared)
            }
            guard case .refused? = error else { throw Unexpected(error) }
            try second.context.refreshAllObjects()
            #expect(other.title == "first")
            #expect(try second.sharing.conflicts.first?.change.updated.first?.id == trip.objectID)
        }
    }

    @Test func `a file of others that is called like one of ours is left alone`() async throws {
        try await withTemporaryDirectory { directory in
            let url = directory.appending(path: "document")
            let document = try await ManagedDocument.open(at: url, model: SharingModel.classes)
            try await document.save()
            try await document.close()
            let file = url.appending(path: "sharing.json")
            try Data("[1]".utf8).write(to: file)
            try await ManagedDocument.open(at: url, model: SharingModel.classes).close()
            let log = MemorySharedLog().connection()
            await #expect(throws: DocumentError.self) {
                try await ManagedDocument.open(
                    at: url, model: SharingModel.classes, sharing: log)
            }
            #expect(try Data(contentsOf: file) == Data("[1]".utf8))
            try Data(#"{"placeskit":9,"range":1,"openings":1}"#.utf8).write(to: file)
            let error = await #expect(throws: DocumentError.self) {
                try await ManagedDocument.open(
                    at: url, model: SharingModel.classes, sharing: log)
            }
            guard case .newerFormat? = error else { throw Unexpected(error) }
        }
    }

    @Test func `a folder that is shared is changed only with its log`() async throws {
        try await withTwoMembers { first, _, _ in
            Trip(context: try first.context).title = "Alps"
            try await first.opened.save(durability: .shared)
            try await first.close()
            let error = await #expect(throws: DocumentError.self) {
                try await ManagedDocument.open(at: first.url, model: SharingModel.classes)
            }
            guard case .shared? = error else { throw Unexpected(error) }
            let reader = try await ManagedDocument.open(
                at: first.url, model: SharingModel.classes, options: .init { $0.isReadOnly = true })
            #expect(try reader.viewContext.fetch(FetchRequest<Trip>()).count == 1)
        }
    }

    @Test func `a log that has become shorter is another one before it has as many commits again`()
        async throws
    {
        try await withTwoMembers { first, _, log in
            for title in ["Alps", "Andes"] {
                Trip(context: try first.context).title = title
                try await first.opened.save(durability: .shared)
            }
            try await first.close()
            let restored = MemorySharedLog()
            let link = restored.connection()
            #expect(try await link.append([#require(log.commits.first)], after: 0))
            let stranger = SharingMember(first.url, restored)
            try await stranger.open()
            let error = await #expect(throws: DocumentError.self) {
                try await stranger.synchronize()
            }
            guard case .differentLog(_, commit: 2)? = error else { throw Unexpected(error) }
            #expect(restored.commits.count == 1)
        }
    }

    @Test func `a log that lacks what the folder has is another one`() async throws {
        try await withTwoMembers { first, _, _ in
            Trip(context: try first.context).title = "Alps"
            try await first.opened.save(durability: .shared)
            try await first.close()
            let stranger = SharingMember(first.url, MemorySharedLog())
            try await stranger.open()
            Trip(context: try stranger.context).title = "Andes"
            let error = await #expect(throws: DocumentError.self) {
                try await stranger.opened.save(durability: .shared)
            }
            guard case .differentLog(_, commit: 1)? = error else { throw Unexpected(error) }
            #expect(try stranger.sharing.conflicts.isEmpty)
            #expect(try stranger.context.fetch(FetchRequest<Trip>()).count == 2)
        }
    }

    /// A document that has shared one commit, and what its log makes of the next one, as when others seem to be first and
    /// then nothing is there of them.
    private nonisolated(nonsending) func save(
        refusedTimes count: Int,
        _ body: nonisolated(nonsending) (ManagedDocument, MemorySharedLog) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            let log = MemorySharedLog()
            let link = WatchedLog(log.connection())
            let document = try await ManagedDocument.open(
                at: directory.appending(path: "document"), model: SharingModel.classes,
                options: .exchangedByHand(), sharing: link)
            Trip(context: document.viewContext).title = "Alps"
            try await document.save(durability: .shared)
            link.refuse(count)
            Trip(context: document.viewContext).title = "Andes"
            try await body(document, log)
            try await document.close()
        }
    }

    @Test func `others who were first by a server that is gone do not keep a save from the log`()
        async throws
    {
        try await save(refusedTimes: 1) { document, log in
            try await document.save(durability: .shared)
            #expect(log.commits.count == 2)
            #expect(document.sharing?.state == .upToDate)
        }
    }

    @Test func `a log that again and again has others first, and nothing of them, is another one`()
        async throws
    {
        try await save(refusedTimes: 2) { document, log in
            let error = await #expect(throws: DocumentError.self) {
                try await document.save(durability: .shared)
            }
            guard case .differentLog(_, commit: 1)? = error else { throw Unexpected(error) }
            #expect(log.commits.count == 1)
        }
    }

    @Test func `a member of another model stops, and keeps what it has`() async throws {
        try await withTwoMembers { first, second, log in
            Trip(context: try first.context).title = "Alps"
            try await first.opened.save(durability: .shared)
            try await withTemporaryDirectory { directory in
                let other = try await ManagedDocument.open(
                    at: directory.appending(path: "other"), model: [Note.self],
                    sharing: log.connection())
                let note = Note(context: other.viewContext)
                note.text = "kept"
                try await other.save()
                let error = await #expect(throws: DocumentError.self) {
                    try await other.sharing?.synchronize()
                }
                guard case .differentModel? = error else { throw Unexpected(error) }
                guard case .stopped? = other.sharing?.state
                else { throw Unexpected(other.sharing?.state) }
                #expect(note.text == "kept")
            }
        }
    }

    final class Note: ManagedObject {
        @Attribute var text = ""
    }

    enum Earlier {
        final class Word: ManagedObject { @Attribute var count = 0 }
    }
    enum Later {
        final class Word: ManagedObject {
            @Attribute(.indexed, .range(0...9)) var count = 0
            override class var userInfo: [String: String] { ["note": "new"] }
        }
    }

    nonisolated(nonsending) private func open(
        _ url: URL, _ types: [ManagedObject.Type], _ log: MemorySharedLog
    ) async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: url, model: types, options: .exchangedByHand(), sharing: log.connection())
    }

    @Test func `members may have other indexes, rules and notes, also who was away meanwhile`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            let log = MemorySharedLog()
            let first = directory.appending(path: "first")
            let second = directory.appending(path: "second")
            let away = try await open(second, [Earlier.Word.self], log)
            try await away.sharing?.synchronize()
            try await away.close()
            let earlier = try await open(first, [Earlier.Word.self], log)
            Earlier.Word(context: earlier.viewContext).count = 1
            try await earlier.save(durability: .shared)
            try await earlier.close()
            let later = try await open(first, [Later.Word.self], log)
            Later.Word(context: later.viewContext).count = 2
            try await later.save(durability: .shared)
            try await later.close()
            for types in [[Later.Word.self], [Earlier.Word.self]] as [[ManagedObject.Type]] {
                let back = try await open(second, types, log)
                try await back.sharing?.synchronize()
                #expect(back.store.commitNumber == 2)
                try await back.close()
            }
        }
    }

    @Test func `objects that members make out of reach have different numbers`() async throws {
        try await withTwoMembers { first, second, _ in
            first.connection.cut()
            second.connection.cut()
            var ids: Set<ObjectID> = []
            for member in [first, second, first, second] {
                for _ in 0..<5 { ids.insert(Trip(context: try member.context).objectID) }
                try await member.opened.save()
                member.crash()
                try await member.open()
            }
            #expect(ids.count == 20)
            first.connection.heal()
            second.connection.heal()
            try await first.synchronize()
            try await second.synchronize()
            try await first.synchronize()
            let trips = try ManagedObjectContext(first.opened.store).fetch(FetchRequest<Trip>())
            #expect(Set(trips.map(\.objectID)) == ids)
        }
    }

    @Test func `undo takes back a save that others have by then`() async throws {
        try await withTwoMembers { first, second, _ in
            let context = try first.context
            context.isUndoEnabled = true
            let stop = Stop(context: context)
            stop.code = "a"
            try await first.opened.save(durability: .shared)
            stop.title = "later"
            try await first.opened.save(durability: .shared)
            try await second.synchronize()
            context.undo()
            try await first.opened.save(durability: .shared)
            try await second.synchronize()
            try second.context.refreshAllObjects()
            #expect(try second.context.find(Stop.self, \.code, "a")?.title == "")
        }
    }
}
