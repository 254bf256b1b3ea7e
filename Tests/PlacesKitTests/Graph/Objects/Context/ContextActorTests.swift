import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// What an actor has of a context that it owns, and the reverse.
@Suite struct ContextActorTests {
    /// Owns a context, or a document with its context.
    private actor Owner {
        private var context: ManagedObjectContext?
        private var document: ManagedDocument?
        private(set) var isTold = false

        func use(_ store: GraphStore) throws {
            let context = ManagedObjectContext(store)
            _ = Town(context: context)
            try context.save()
            self.context = context
        }

        func open(_ url: URL, named name: String) async throws {
            document = try await ManagedDocument.open(at: url, model: TownModel.types)
            guard let document else { return }
            Town(context: document.viewContext).name = name
            try await document.save(durability: .memory)
        }

        /// Changes something, and returns whether listeners had heard of it when the actor's next turn began.
        func tellsInNextTurn() async throws -> Bool {
            guard let context else { return false }
            let subscription = context.onChange { [self] _ in assumeIsolated { $0.isTold = true } }
            defer { subscription.cancel() }
            _ = Town(context: context)
            return await Task { isTold }.value
        }
    }

    @Test(.endsWaiting)
    func `an actor that owns a context goes when nobody has the actor, and the context with it`()
        async throws
    {
        let store = try TownModel.store()
        weak var owner: Owner?
        do {
            let made = Owner()
            try await made.use(store)
            owner = made
        }
        try await wait { owner == nil }
        // Nothing of it is left that would hear of a commit.
        try await store.perform { context in
            _ = Town(context: context)
            try context.save()
        }
    }

    @Test(.endsWaiting)
    func `a document goes with the actor that owns it, and can be opened again`() async throws {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(path: "Town")
            weak var owner: Owner?
            do {
                let made = Owner()
                try await made.open(url, named: "Ulm")
                owner = made
            }
            try await wait { owner == nil }
            let again = try await openWhenUnlocked(url)
            #expect(try again.viewContext.fetch(Town.self).map(\.name) == ["Ulm"])
            try await again.close()
        }
    }

    /// Opens a document when whoever had it has written the last commits, for so long the lock is held.
    private nonisolated(nonsending) func openWhenUnlocked(_ url: URL) async throws
        -> ManagedDocument
    {
        while true {
            do {
                return try await ManagedDocument.open(at: url, model: TownModel.types)
            } catch DocumentError.locked {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }

    @Test func `a change is told before the actor does what it was asked for later`() async throws {
        let owner = Owner()
        try await owner.use(try TownModel.store())
        #expect(try await owner.tellsInNextTurn())
    }
}
