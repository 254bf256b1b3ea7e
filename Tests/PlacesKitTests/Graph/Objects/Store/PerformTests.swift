import PlacesKit
import Testing

@Suite struct PerformTests {
    let store: GraphStore

    init() throws { store = try TownModel.store() }

    @Test func `work runs on a fork of its own and returns what may leave it`() async throws {
        let id = try await store.perform { context in
            let land = context.land("Mu")
            try context.save()
            return land.objectID
        }
        #expect(try ManagedObjectContext(store).existingObject(with: id) is Land)
    }

    @MainActor @Test func `reading that fails comes back to the caller's actor`() async throws {
        do {
            try await store.read { _ -> Void in throw CancellationError() }
            Issue.record("It did not fail.")
        } catch {
            #expect(isOnMainQueue)
        }
    }

    @MainActor @Test func `work does not run on the caller's actor`() async throws {
        let isOnMain = try await store.perform { _ in #isolation === MainActor.shared }
        #expect(!isOnMain)
    }

    @Test func `what is not saved is dropped`() async throws {
        try await store.perform { context in _ = context.land("Mu") }
        #expect(store.commitNumber == 0)
    }

    @Test func `errors of the work come back`() async throws {
        await #expect(throws: ContextError.unknownClass("Specimen")) {
            try await store.perform { try $0.count(Specimen.self) }
        }
    }

    @Test func `works run side by side and lose nothing`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask { [store] in
                    try await store.perform { context in
                        for round in 0..<10 {
                            Town(context: context).land = context.land("\(number) \(round)")
                            try context.save()
                            await Task.yield()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try store.snapshot().count(Land.self) == 80 && store.commitNumber == 80)
        #expect(store.snapshot().brokenInvariants == [])
    }

    @Test func `a conflict comes back as the save's error`() async throws {
        let context = ManagedObjectContext(store)
        let town = Town(context: context)
        try context.save()
        let id = town.objectID
        town.name = "Here"
        try await store.perform { other in
            guard let town = try other.existingObject(with: id) as? Town else { return }
            town.name = "There"
            try other.save()
        }
        #expect(context.conflicts().map(\.saved) == [.string("There")])
    }

    @Test func `work may wait for other work, which sees what was saved`() async throws {
        let counts = try await store.perform { [store] context in
            _ = context.land("Mu")
            let before = try await store.perform { try $0.count(Land.self) }
            try context.save()
            return [before, try await store.perform { try $0.count(Land.self) }]
        }
        #expect(counts == [0, 1])
    }
}
