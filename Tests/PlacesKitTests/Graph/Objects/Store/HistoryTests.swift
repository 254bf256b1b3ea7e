import Foundation
import PlacesKit
import Synchronization
import Testing

@Suite struct HistoryTests {
    let store: GraphStore
    let context: ManagedObjectContext
    let town: Town

    init() throws {
        let clock = Clock()
        store = try GraphStore(model: TownModel.types) { clock.next() }
        context = ManagedObjectContext(store)
        town = Town(context: context)
        store.historyLimit = 3
        try context.save()
    }

    private final class Clock: Sendable {
        let seconds: Mutex<Int> = Mutex(0)

        func next() -> Date {
            seconds.withLock { seconds in
                seconds += 1
                return Date(timeIntervalSinceReferenceDate: Double(seconds))
            }
        }
    }

    private func rename(_ names: String...) throws {
        for name in names {
            town.name = name
            try context.save()
        }
    }

    private func name(at number: Int) throws -> String {
        try store.snapshot(at: number).context().twin(of: town).name
    }

    final class Note: ManagedObject {
        @Attribute var title = ""
        @Attribute var bytes = Data()
    }

    @Test(arguments: [1, 10])
    func `bytes that go with a commit are freed by code that may read the store`(
        limit: Int
    ) throws {
        let store = try GraphStore(model: [Note.self])
        store.historyLimit = limit
        let context = ManagedObjectContext(store)
        let note = Note(context: context)
        let freed = Mutex<[Int]>([])
        note.bytes = Data(Array(repeating: 7, count: 64)) { [unowned store] in
            freed.withLock { $0.append(store.commitNumber) }
        }
        try context.save()
        note.bytes = Data()
        try context.save()
        #expect(freed.withLock(\.self) == [])
        // With a limit of one it is this commit that lets go of the first one.
        note.title = "x"
        try context.save()
        store.historyLimit = 0
        #expect(freed.withLock(\.self) == [3])
    }

    @Test func `bytes that go where commits become one are freed by code that may read the store`()
        throws
    {
        let store = try GraphStore(model: [Note.self])
        let commits = store.commits(waiting: 2)
        let context = ManagedObjectContext(store)
        let note = Note(context: context)
        let freed = Mutex<[Int]>([])
        note.bytes = Data(Array(repeating: 7, count: 64)) { [unowned store] in
            freed.withLock { $0.append(store.commitNumber) }
        }
        try context.save()
        note.bytes = Data()
        try context.save()
        #expect(freed.withLock(\.self) == [])
        // There is no room for a third one: what the first one left goes.
        note.title = "x"
        try context.save()
        #expect(freed.withLock(\.self) == [3])
        withExtendedLifetime(commits) {}
    }

    @Test func `commits that are kept can be read`() throws {
        try rename("a", "b")
        #expect(try (1...3).map(name) == ["Nameless", "a", "b"])
        #expect(try store.snapshot(at: 0).count(Town.self) == 0)
    }

    @Test func `the oldest commits are forgotten first`() throws {
        try rename("a", "b", "c", "d")
        #expect(store.history.map(\.number) == [2, 3, 4, 5])
        #expect(throws: HistoryError.notKept(1, kept: 2...5)) { try store.snapshot(at: 1) }
        #expect(try name(at: 2) == "a")
        store.historyLimit = 1
        #expect(store.history.map(\.number) == [4, 5])
        store.historyLimit = -1
        #expect(store.historyLimit == 0 && store.history.map(\.number) == [5])
        #expect(try name(at: 5) == "d")
    }

    @Test func `a commit that was not made yet is an error that says so`() throws {
        #expect(throws: HistoryError.notCommitted(9, latest: 1)) { try store.snapshot(at: 9) }
        #expect(throws: HistoryError.notKept(-1, kept: 0...1)) { try store.snapshot(at: -1) }
        #expect(
            HistoryError.notCommitted(9, latest: 1).description
                == """
                There is no commit 9 yet: the latest is 1. Ask for one up to that, or wait until it is made.
                """)
    }

    @Test func `a commit tells when it was made, and by whom`() throws {
        context.transactionAuthor = "import"
        try rename("a")
        #expect(store.history.map(\.author) == [nil, nil, "import"])
        #expect(
            store.history.map(\.date.timeIntervalSinceReferenceDate) == [1, 2, 3])
        #expect(store.snapshot().commit == store.history.last)
    }

    @Test func `nothing is kept unless it is asked for`() throws {
        let store = try TownModel.store()
        let context = ManagedObjectContext(store)
        _ = Town(context: context)
        try context.save()
        #expect(store.historyLimit == 0 && store.history.map(\.number) == [1])
    }

    @Test func `changes between two commits name objects, properties and values`() throws {
        let land = context.land("Mu")
        let bob = context.citizen("Bob")
        try context.save()
        town.name = "Ulm"
        town.land = land
        town.mayor = bob
        let club = Club("Chess", in: context)
        club.members.insert(bob)
        try context.save()
        let changes = try store.snapshot().changes(since: store.snapshot(at: 2))
        #expect(changes.inserted == [club.objectID] && changes.deleted.isEmpty)
        #expect(
            changes.updated == [
                ObjectChange(
                    object: land.objectID,
                    properties: [
                        PropertyChange(
                            name: "towns",
                            values: .toMany(inserted: [town.objectID], removed: []))
                    ]),
                ObjectChange(
                    object: town.objectID,
                    properties: [
                        PropertyChange(
                            name: "name",
                            values: .attribute(old: .string("Nameless"), new: .string("Ulm"))),
                        PropertyChange(
                            name: "land", values: .toOne(old: nil, new: land.objectID)),
                        PropertyChange(
                            name: "mayor", values: .toOne(old: nil, new: bob.objectID)),
                    ]),
                ObjectChange(
                    object: bob.objectID,
                    properties: [
                        PropertyChange(
                            name: "governs", values: .toOne(old: nil, new: town.objectID)),
                        PropertyChange(
                            name: "clubs",
                            values: .toMany(inserted: [club.objectID], removed: [])),
                    ]),
            ])
        let back = try store.snapshot(at: 2).changes(since: store.snapshot())
        #expect(back.deleted == [club.objectID] && back.updated.count == 3)
        #expect(try store.snapshot().changes(since: store.snapshot()).isEmpty)
    }

    @Test func `snapshots of two stores are not compared`() throws {
        let other = try TownModel.store().snapshot()
        #expect(throws: HistoryError.differentStores) {
            try store.snapshot().changes(since: other)
        }
    }

    @Test func `a kept commit has the whole query interface`() throws {
        _ = context.land("Mu")
        try context.save()
        try rename("a", "b")
        let past = try store.snapshot(at: 2).context()
        #expect(try past.find(Land.self, \.name, "Mu") != nil)
        let request = FetchRequest<Town>(predicate: #Predicate { $0.name == "Nameless" })
        #expect(try past.count(request) == 1)
        past.mergePolicy = .overwrite
        _ = past.land("Atlantis")
        #expect(throws: ContextError.readOnly) { try past.save() }
    }
}
