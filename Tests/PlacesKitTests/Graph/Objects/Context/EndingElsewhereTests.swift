import Foundation
import PlacesKit
import PlacesKitTesting
import Synchronization
import Testing

/// What an actor owns may end on any thread; what that does to a context happens on the context's actor.
@MainActor @Suite(.serialized, .endsWaiting) struct EndingElsewhereTests {
    /// Notes of ends whether they were on the main actor.
    fileprivate final class Ends: Sendable {
        private let state = Mutex<[Bool]>([])

        var all: [Bool] { state.withLock(\.self) }

        func note() { state.withLock { $0.append(isOnMainQueue) } }

        func forget() { state.withLock { $0 = [] } }
    }

    /// Its handles end where they are noted.
    final class Leaf: ManagedObject {
        @Attribute(.unique) var name = ""
        fileprivate static let ends = Ends()

        deinit { Self.ends.note() }
    }

    private final class Witness {
        private let ends: Ends

        init(_ ends: Ends) { self.ends = ends }

        deinit { ends.note() }
    }

    private func makeStore() throws -> GraphStore {
        let store = try GraphStore(model: [Leaf.self])
        let context = ManagedObjectContext(store)
        for name in ["a", "b"] { Leaf(context: context).name = name }
        try context.save()
        return store
    }

    @Test func `objects that a context keeps`() async throws {
        var owner: MainOwner? = MainOwner(ManagedObjectContext(try makeStore()))
        _ = try owner?.content.find(Leaf.self, \.name, "a")
        #expect(owner?.content.keptObjectCount == 1)
        Leaf.ends.forget()
        endElsewhere(&owner)
        #expect(Leaf.ends.all == [])
        try await wait { !Leaf.ends.all.isEmpty }
        #expect(Leaf.ends.all == [true])
    }

    @Test func `objects of a context that is asked for again meanwhile stay`() async throws {
        var owner: MainOwner? = MainOwner(ManagedObjectContext(try makeStore()))
        let leaf = try #require(try owner?.content.find(Leaf.self, \.name, "a"))
        _ = try owner?.content.find(Leaf.self, \.name, "b")
        Leaf.ends.forget()
        endElsewhere(&owner)
        let context = try #require(leaf.context)
        for _ in 0..<4 { await Task {}.value }
        #expect(context.keptObjectCount == 2 && Leaf.ends.all == [])
    }

    @Test func `the object of a controller`() async throws {
        var owner: MainOwner? = MainOwner(
            try ObjectController(
                Leaf.self, \.name, is: "a", in: ManagedObjectContext(try makeStore())))
        #expect(owner?.content.object?.name == "a")
        Leaf.ends.forget()
        endElsewhere(&owner)
        #expect(Leaf.ends.all == [])
        try await wait { !Leaf.ends.all.isEmpty }
        #expect(Leaf.ends.all == [true])
    }

    @Test func `the selected object of a list`() async throws {
        var owner: MainOwner? = MainOwner(
            try ListController<Leaf>(in: ManagedObjectContext(try makeStore())))
        owner?.content.selection = try owner?.content.context.fetch(Leaf.self).first
        #expect(owner?.content.selection != nil)
        Leaf.ends.forget()
        endElsewhere(&owner)
        #expect(Leaf.ends.all == [])
        try await wait { !Leaf.ends.all.isEmpty }
        #expect(Leaf.ends.all == [true])
    }

    @Test func `a subscription, which calls nobody from then on`() async throws {
        let context = ManagedObjectContext(try makeStore())
        let ends = Ends()
        var calls = 0
        func subscribe() -> ChangeSubscription {
            let witness = Witness(ends)
            return context.onChange { _ in
                withExtendedLifetime(witness) { calls += 1 }
            }
        }
        var owner: MainOwner? = MainOwner(subscribe())
        endElsewhere(&owner)
        #expect(ends.all == [])
        _ = Leaf(context: context)
        context.processPendingChanges()
        #expect(calls == 0)
        try await wait { !ends.all.isEmpty }
        #expect(ends.all == [true])
    }

    @Test func `a document, which tells then of what it has unsaved`() async throws {
        let ends = Ends()
        var owner: MainOwner? = MainOwner(
            try await ManagedDocument.open(
                at: URL(filePath: "/Leaves"), model: [Leaf.self],
                options: .savedByHand { $0.onUnsavedChanges = { _ in ends.note() } },
                files: CrashingFiles()))
        if let context = owner?.content.viewContext { _ = Leaf(context: context) }
        endElsewhere(&owner)
        #expect(ends.all == [])
        try await wait { !ends.all.isEmpty }
        #expect(ends.all == [true])
    }
}
