import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

@Suite struct ContextForkTests {
    private let store: GraphStore

    init() throws { store = try TownModel.store() }

    private func context() -> ManagedObjectContext { ManagedObjectContext(store, isolation: nil) }

    private func fork() -> ContextFork {
        let (head, token) = store.fork()
        return ContextFork(of: .store(store, token: token), showing: head)
    }

    private func commit(_ name: String) throws {
        let context = context()
        _ = context.land(name)
        try context.save()
    }

    @Test func `a fork knows what was committed since, until it moves there`() throws {
        var fork = fork()
        defer { _ = fork.end() }
        try commit("Ghana")
        try commit("Togo")
        #expect(fork.committed.number == 0)
        #expect(fork.writes(since: 0, upTo: 1)?.count == 1)
        #expect(fork.fewWrites(since: 0)?.count == 2)
        fork.move(to: store.head)
        #expect(fork.committed.number == 2 && !fork.hasSaved)
        #expect(fork.writes(since: 2, upTo: 2)?.isEmpty == true)
    }

    @Test func `only a commit of its own is one that it has saved`() throws {
        var fork = fork()
        defer { _ = fork.end() }
        fork.move(to: store.head)
        #expect(!fork.hasSaved)
        fork.move(to: store.head, isOwn: true)
        fork.move(to: store.head)
        #expect(fork.hasSaved)
    }

    @Test func `a child asks its parent, and has no commits of the store to compare`() throws {
        let parent = context()
        let child = ManagedObjectContext(parent: parent, isolation: nil)
        #expect(child.parent === parent && parent.parent == nil)
        _ = parent.land("Ghana")
        parent.processPendingChanges()
        let number = child.fork.committed.number
        #expect(child.fork.writes(since: number, upTo: .max)?.count == 1)
        #expect(child.fork.fewWrites(since: number) == nil)
    }
}
