import Foundation
import PlacesKit
import Testing

@Suite @MainActor struct AutomaticMergeTests {
    let store: GraphStore
    let context: ManagedObjectContext
    let town: Town

    init() throws {
        store = try TownModel.store()
        context = ManagedObjectContext(store)
        town = Town(context: context)
        try context.save()
    }

    /// Runs `body`, and returns when the context has told its listeners that `condition` holds.
    private func merge(
        until condition: @escaping () -> Bool, _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        let (signals, continuation) = AsyncStream<Void>.makeStream()
        let subscription = context.onChange { _ in
            MainActor.assertIsolated()
            continuation.yield()
        }
        defer { subscription.cancel() }
        try await body()
        if condition() { return }
        for await _ in signals where condition() { return }
    }

    private func save(name: String) async throws {
        let id = town.objectID
        try await store.perform { context in
            guard let town = try context.existingObject(with: id) as? Town else { return }
            town.name = name
            try context.save()
        }
    }

    @Test func `what another context saves shows by itself, on the context's actor`() async throws {
        let (store, id) = (store, town.objectID)
        try await merge(until: { town.name == "Ulm" }) {
            try await store.perform { context in
                guard let town = try context.existingObject(with: id) as? Town else { return }
                town.name = "Ulm"
                try context.save()
            }
        }
        #expect(town.name == "Ulm" && !context.hasChanges)
        #expect(context.brokenInvariants == [])
    }

    @Test func `many commits end in the last`() async throws {
        let (store, id) = (store, town.objectID)
        try await merge(until: { town.name == "20" }) {
            for number in 1...20 {
                try await store.perform { context in
                    guard let town = try context.existingObject(with: id) as? Town else { return }
                    town.name = "\(number)"
                    try context.save()
                }
            }
        }
        #expect(context.snapshot().commitNumber == store.commitNumber)
    }

    @Test func `pending edits are kept, and the save settles what conflicts`() async throws {
        let (store, id) = (store, town.objectID)
        town.name = "Mine"
        try await merge(until: { town.founded != nil }) {
            try await store.perform { context in
                guard let town = try context.existingObject(with: id) as? Town else { return }
                town.name = "Theirs"
                town.founded = .distantPast
                try context.save()
            }
        }
        #expect(town.name == "Mine" && context.hasChanges)
        #expect(context.conflicts().map(\.saved) == [.string("Theirs")])
        context.mergePolicy = .mergeByPropertyStoreTrump
        try context.save()
        #expect(town.name == "Theirs")
    }

    @Test func `merging can be turned off, and catches up when it is turned on`() async throws {
        context.automaticallyMergesChangesFromParent = false
        try await save(name: "Ulm")
        // Whatever was signalled comes before what this task does next on the same actor.
        await Task.yield()
        #expect(town.name == "Nameless")
        context.automaticallyMergesChangesFromParent = true
        #expect(town.name == "Ulm")
    }

    @Test func `a context that nobody holds goes, and its actor's task ends`() async throws {
        weak var gone: ManagedObjectContext?
        do {
            let other = ManagedObjectContext(store)
            gone = other
            #expect(other.automaticallyMergesChangesFromParent)
        }
        #expect(gone == nil)
        try await save(name: "Ulm")
    }

    @Test nonisolated func `a context on no actor shows commits when it is told to`() throws {
        let store = try TownModel.store()
        let contexts = (0..<2).map { _ in ManagedObjectContext(store) }
        #expect(!contexts[0].automaticallyMergesChangesFromParent)
        _ = contexts[0].land("Mu")
        try contexts[0].save()
        #expect(try contexts[1].count(Land.self) == 0)
        contexts[1].refreshAllObjects()
        #expect(try contexts[1].count(Land.self) == 1)
    }

    @Test func `results controllers hear of what others save`() async throws {
        let results = try FetchedResultsController(
            FetchRequest<Town>(sortBy: [SortDescriptor(\.name)]), in: context)
        let changes = results.changes
        try await store.perform { context in
            _ = Town(context: context)
            try context.save()
        }
        for await change in changes {
            #expect(change.after.identifiers.count == 2)
            break
        }
    }
}
