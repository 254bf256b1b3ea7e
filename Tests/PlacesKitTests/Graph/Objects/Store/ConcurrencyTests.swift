import PlacesKit
import Testing

/// What many threads do at once; the checks run it under the thread sanitizer.
@Suite struct ConcurrencyTests {
    let store: GraphStore

    init() throws {
        store = try TownModel.store()
        store.historyLimit = 8
        let context = ManagedObjectContext(store)
        for number in 0..<1_100 {
            let land = context.land("Land \(number)")
            land.number = number
            Town(context: context).land = land
        }
        try context.save()
    }

    @Test func `snapshots are read by many threads while others save`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<3 {
                group.addTask { [store] in
                    try await store.perform { context in
                        context.mergePolicy = .mergeByPropertyObjectTrump
                        for round in 0..<15 {
                            for town in try context.fetch(Town.self).prefix(20) {
                                town.name = "\(writer) \(round)"
                            }
                            context.land("\(writer) \(round)").number =
                                10_000 + writer * 100 + round
                            try context.save()
                        }
                    }
                }
            }
            for _ in 0..<3 {
                group.addTask { [store] in
                    for _ in 0..<15 {
                        let snapshot = store.snapshot()
                        let context = snapshot.context()
                        let lands = try context.fetch(Land.self)
                        let count = lands.reduce(0) { $0 + $1.towns.count }
                        #expect(count == 1_100)
                        _ = try? store.snapshot(at: snapshot.commitNumber).count(Town.self)
                        let past = try? store.snapshot(at: store.history[0].number)
                        if let past { _ = try snapshot.changes(since: past) }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try store.snapshot().count(Land.self) == 1_145)
        #expect(store.snapshot().brokenInvariants == [])
    }

    @Test func `contexts of many actors merge each other's commits`() async throws {
        try await withThrowingTaskGroup(of: [String].self) { group in
            for number in 0..<4 {
                group.addTask { [store] in
                    try await Editor(store, number: number).work(rounds: 10)
                }
            }
            for try await broken in group { #expect(broken == []) }
        }
        #expect(try store.snapshot().count(Club.self) == 40)
    }

    @Test(.timeLimit(.minutes(20)))
    func `followers that are cancelled while others save hold nobody up`() async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [store] in
                let context = ManagedObjectContext(store, isolation: nil)
                for number in 0..<1_000 {
                    _ = context.land("Followed \(number)")
                    try? context.save()
                    await Task.yield()
                }
            }
            for _ in 0..<2 {
                group.addTask { [store] in
                    for _ in 0..<200 {
                        let commits = store.commits
                        let follower = Task { for await _ in commits {} }
                        await Task.yield()
                        follower.cancel()
                        await follower.value
                    }
                }
            }
        }
        #expect(try store.snapshot().count(Land.self) == 2_100)
    }

    private actor Editor {
        private let store: GraphStore
        private let number: Int

        init(_ store: GraphStore, number: Int) {
            self.store = store
            self.number = number
        }

        /// Edits in a context of this actor; returns what is wrong with it at the end.
        func work(rounds: Int) async throws -> [String] {
            let context = ManagedObjectContext(store)
            context.mergePolicy = .mergeByPropertyStoreTrump
            context.isUndoEnabled = true
            for round in 0..<rounds {
                let club = Club("\(number) \(round)", in: context)
                club.patron = try context.find(Land.self, \.number, round)
                try context.fetch(Town.self)[round].name = club.title
                try context.save()
                await Task.yield()
                let scratch = ManagedObjectContext(parent: context)
                try scratch.twin(of: club).title = "Scratch"
                try scratch.save()
                context.undo()
                await Task.yield()
            }
            context.refreshAllObjects()
            return context.brokenInvariants
        }
    }
}
