import PlacesKit
import PlacesKitTesting
import Synchronization
import Testing

private final class RunCount: Sendable {
    private let count = Atomic(0)
    var value: Int { count.load(ordering: .relaxed) }

    @discardableResult
    func increment() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
}

final class ValueLog: Sendable {
    private let entries = Mutex<[Int]>([])
    var values: [Int] { entries.withLock { $0 } }

    func append(_ value: Int) { entries.withLock { $0.append(value) } }
}

@Suite(.endsWaiting) struct StoreTransactionTests {
    let store: GraphStore
    let context: ManagedObjectContext
    let alice: Citizen

    init() throws {
        store = try TownModel.store()
        context = ManagedObjectContext(store)
        alice = context.citizen("Alice")
        alice.age = 0
        try context.save()
    }

    /// Increments the age in another context and saves.
    private static func interfere(_ store: GraphStore, _ id: ObjectID) throws {
        let context = ManagedObjectContext(store)
        try grow(id, in: context)
        try context.save()
    }

    private static func grow(_ id: ObjectID, in context: ManagedObjectContext) throws {
        (try context.existingObject(with: id) as? Citizen)?.age += 1
    }

    @Test func `the work is saved, and what it returns comes back`() async throws {
        let id = alice.objectID
        let age = try await store.transaction { context in
            let citizen = try #require(try context.existingObject(with: id) as? Citizen)
            citizen.age += 1
            return citizen.age
        }
        context.refreshAllObjects()
        #expect(age == 1 && alice.age == 1 && store.commitNumber == 2)
    }

    @Test func `work that met a conflict runs again on what others saved`() async throws {
        let id = alice.objectID
        let runs = RunCount()
        try await store.transaction { [store] context in
            let citizen = try #require(try context.existingObject(with: id) as? Citizen)
            citizen.age += 1
            if runs.increment() < 4 {
                try Self.interfere(store, id)
            }
        }
        context.refreshAllObjects()
        #expect(alice.age == 4 && runs.value == 4)
    }

    @Test func `eight tasks that increment lose nothing, and each gets on`() async throws {
        let (store, id) = (store, alice.objectID)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<100 {
                        try await store.transaction { context in
                            (try context.existingObject(with: id) as? Citizen)?.age += 1
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        context.refreshAllObjects()
        #expect(alice.age == 800)
    }

    @Test func `work that always meets a conflict ends in an error that says so`() async throws {
        let id = alice.objectID
        let runs = RunCount()
        let error = await #expect(throws: ContextError.self) {
            try await store.transaction(attempts: 5) { [store] context in
                runs.increment()
                (try context.existingObject(with: id) as? Citizen)?.age += 1
                try Self.interfere(store, id)
            }
        }
        guard case .transactionExhausted(5, let conflicts) = error else { throw Unexpected(error) }
        #expect(conflicts.map(\.object) == [id] && runs.value == 5)
    }

    @Test func `other errors are not tried again`() async throws {
        struct Refusal: Error {}
        let runs = RunCount()
        await #expect(throws: Refusal.self) {
            try await store.transaction { _ in
                runs.increment()
                throw Refusal()
            }
        }
        await #expect(throws: ContextError.self) {
            try await store.transaction { context in
                runs.increment()
                _ = Land(context: context)
            }
        }
        #expect(runs.value == 2 && store.commitNumber == 1)
    }

    @Test func `a unique value that another saved meanwhile is found by the next attempt`()
        async throws
    {
        let runs = RunCount()
        try await store.transaction { [store] context in
            let land = try context.findOrInsert(Land.self, \.name, "Mu")
            land.number = 7
            guard runs.increment() == 1 else { return }
            let other = ManagedObjectContext(store)
            _ = other.land("Mu")
            try other.save()
        }
        context.refreshAllObjects()
        #expect(try context.fetch(Land.self).map(\.number) == [7])
    }

    @Test func `work that has saved is not run again`() async throws {
        let id = alice.objectID
        let runs = RunCount()
        await #expect(throws: ContextError.self) {
            try await store.transaction { [store] context in
                runs.increment()
                let citizen = try #require(try context.existingObject(with: id) as? Citizen)
                citizen.age += 1
                try context.save()
                citizen.age += 1
                try Self.interfere(store, id)
            }
        }
        context.refreshAllObjects()
        #expect(alice.age == 2 && runs.value == 1)
    }

    @Test func `a cancelled task makes no further attempt`() async throws {
        let (store, id) = (store, alice.objectID)
        let runs = RunCount()
        await withTaskGroup { group in
            group.addTask {
                await #expect(throws: CancellationError.self) {
                    try await store.transaction { context in
                        runs.increment()
                        (try context.existingObject(with: id) as? Citizen)?.age += 1
                        try Self.interfere(store, id)
                        withUnsafeCurrentTask { $0?.cancel() }
                    }
                }
            }
        }
        #expect(runs.value == 1)
    }

    @Test func `a transaction inside another waits for no turn`() async throws {
        let id = alice.objectID
        let runs = RunCount()
        try await store.transaction { [store] context in
            let citizen = try #require(try context.existingObject(with: id) as? Citizen)
            citizen.age += 1
            let run = runs.increment()
            if run == 1 { try Self.interfere(store, id) }
            // The second run has a turn.
            try await store.transaction { inner in _ = inner.land("Mu \(run)") }
        }
        context.refreshAllObjects()
        #expect(try alice.age == 2 && context.count(Land.self) == 2)
    }

    @Test func `transactions of two stores inside each other do not wait for each other`()
        async throws
    {
        let other = try TownModel.store()
        let bob = try await other.transaction { $0.citizen("Bob").objectID }
        let (store, id) = (store, alice.objectID)
        let arrived = RunCount()
        @Sendable func work(
            _ outer: GraphStore, _ outerID: ObjectID, _ inner: GraphStore, _ innerID: ObjectID
        ) async throws {
            let (runs, innerRuns) = (RunCount(), RunCount())
            try await outer.transaction { context in
                (try context.existingObject(with: outerID) as? Citizen)?.age += 1
                guard runs.increment() > 1 else { return try Self.interfere(outer, outerID) }
                // Now both have the turn of one store.
                arrived.increment()
                try await wait { arrived.value >= 2 }
                try await inner.transaction { context in
                    (try context.existingObject(with: innerID) as? Citizen)?.age += 1
                    if innerRuns.increment() == 1 { try Self.interfere(inner, innerID) }
                }
            }
        }
        async let first: Void = work(store, id, other, bob)
        async let second: Void = work(other, bob, store, id)
        _ = try await (first, second)
    }

    @Test(.endsWaiting)
    func `work is not waited for whose turn waits for a transaction of another task`() async throws
    {
        let clock = ManualClock()
        let store = try GraphStore(model: TownModel.types, clock: clock)
        let (ada, bob) = try await store.transaction { context in
            (context.citizen("Ada").objectID, context.citizen("Bob").objectID)
        }
        let (requests, ask) = AsyncStream<Void>.makeStream()
        let answered = Gate()
        let worker = Task.detached {
            for await _ in requests {
                try await store.transaction { try Self.grow(bob, in: $0) }
                answered.open()
            }
        }
        let runs = RunCount()
        let work = Task.detached {
            try await store.transaction { context in
                try Self.grow(ada, in: context)
                guard runs.increment() > 1 else { return try Self.interfere(store, ada) }
                ask.yield()
                await answered.wait()
            }
        }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(10))
        try await work.value
        ask.finish()
        try await worker.value
        let ages = try await store.perform { try $0.fetch(Citizen.self).map(\.age) }
        #expect(ages.sorted() == [31, 32])
    }

    @Test func `a task that goes on after its transaction waits for its turn like any other`()
        async throws
    {
        let (store, id, gate) = (store, alice.objectID, Gate())
        let tasks = try await withThrowingTaskGroup(of: Task<Void, any Error>.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try await store.transaction { _ in
                        Task {
                            await gate.wait()
                            for _ in 0..<50 {
                                try await store.transaction(attempts: 10) { context in
                                    (try context.existingObject(with: id) as? Citizen)?.age += 1
                                }
                            }
                        }
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        // Now no transaction is open.
        gate.open()
        for task in tasks { try await task.value }
        context.refreshAllObjects()
        #expect(alice.age == 200)
    }

    @Test func `work that breaks a rule whenever others commit is told which`() async throws {
        let (store, id) = (store, alice.objectID)
        let error = await #expect(throws: ContextError.self) {
            try await store.transaction(attempts: 3) { context in
                _ = Citizen(context: context)
                try Self.interfere(store, id)
            }
        }
        guard case .invalid(let failures) = error else { throw Unexpected(error) }
        #expect(failures.map(\.property) == ["name"])
    }
}
