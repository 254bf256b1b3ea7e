import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// What waits for slow consumers: their number, the graphs that it leads to, and its size.
@Suite struct WaitingChangesTests {
    private let store: GraphStore
    private let context: ManagedObjectContext

    init() throws {
        store = try TownModel.store()
        context = ManagedObjectContext(store)
    }

    @Test func `a consumer who goes away is forgotten, and one that stays is not`() {
        let rest = store.commits(waiting: 1)
        do { _ = store.commits.makeAsyncIterator() }
        #expect(store.listenerCount == 1)
        withExtendedLifetime(rest) {}
    }

    @Test func `changes for which there is no room are told as one, and saves as one after it`()
        async throws
    {
        var changes = context.changes(waiting: 4).makeAsyncIterator()
        let town = Town(context: context)
        try context.save()
        town.name = "Ulm"
        try context.save()
        // This makes too many.
        town.name = "Bonn"
        context.processPendingChanges()
        let change = try #require(await changes.next())
        #expect(change.kind == .didChange && change.isJoined)
        #expect(change.objects.inserted == [town.objectID] && change.objects.updated.isEmpty)
        let save = try #require(await changes.next())
        #expect(save.kind == .didSave && save.isJoined)
        #expect(save.objects.inserted == [town.objectID])
        #expect(save.objects.changes.after.name(of: town.objectID) == "Ulm")
        #expect(change.objects.changes.after.name(of: town.objectID) == "Bonn")
        town.name = "Trier"
        context.processPendingChanges()
        let next = try #require(await changes.next())
        #expect(!next.isJoined)
        #expect(next.objects.updated == [town.objectID: ["name"]])
    }

    @Test func `what waits is no more than what differs`() throws {
        let (mailbox, reader) = PlacesGraph.Mailbox<StoreCommit>.make(
            limit: 8, weight: \.objects.weight, join: StoreCommit.join)
        let subscription = context.onChange { change in
            guard change.kind == .didSave else { return }
            let commit = CommittedChanges(committed: store.head, changes: change.objects.changes)
            mailbox.put(StoreCommit(commit))
            #expect(mailbox.count <= 9)
        }
        for _ in 0..<100 {
            _ = Town(context: context)
            try context.save()
        }
        #expect(mailbox.count <= 9)
        subscription.cancel()
        _ = reader
    }
}

extension Graph {
    /// The name of a town.
    fileprivate func name(of id: ObjectID) -> String? {
        guard let entity = layout.entity(named: id.entity), let row = row(of: id, in: entity.table),
            let slot = layout.tables[entity.table].properties.firstIndex(where: {
                $0.name == "name"
            }),
            case .string(let name) = value(row, Slot(slot), in: entity.table)
        else { return nil }
        return name
    }
}
