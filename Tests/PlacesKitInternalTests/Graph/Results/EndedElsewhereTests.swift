import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// What listens to a context and ends on another thread is forgotten on the context's actor, and not before.
@MainActor @Suite(.endsWaiting) struct EndedElsewhereTests {
    @Test func `live results`() async throws {
        let context = ManagedObjectContext(try TownModel.store())
        var owner: MainOwner? = MainOwner(
            try FetchedResultsController(FetchRequest<Land>(), in: context))
        endElsewhere(&owner)
        #expect(!context.listeners.isEmpty)
        try await wait { context.listeners.isEmpty }
        #expect(context.alarms.brokenInvariants.isEmpty)
    }

    @Test func `a live aggregate`() async throws {
        let context = ManagedObjectContext(try TownModel.store())
        var owner: MainOwner? = MainOwner(
            try LiveAggregate(FetchRequest<Land>(), .count, in: context))
        endElsewhere(&owner)
        #expect(!context.listeners.isEmpty)
        try await wait { context.listeners.isEmpty }
        #expect(context.alarms.brokenInvariants.isEmpty)
    }

    @Test func `a child`() async throws {
        let parent = ManagedObjectContext(try TownModel.store())
        var owner: MainOwner? = MainOwner(ManagedObjectContext(parent: parent))
        endElsewhere(&owner)
        #expect(!parent.children.isEmpty && !parent.listeners.isEmpty)
        try await wait { parent.children.isEmpty }
        #expect(parent.listeners.isEmpty)
    }
}
