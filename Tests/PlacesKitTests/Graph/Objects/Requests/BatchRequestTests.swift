import Foundation
import PlacesKit
import Testing

/// Updates and deletes of all objects of a request, compared with a fetch whose objects come one by one.
@Suite struct BatchRequestTests {
    final class Item: ManagedObject {
        @Attribute(.indexed) var rank = 0
        @Attribute var name = ""
        @Attribute var note: String?
        @Relationship(deleteRule: .cascade, inverse: \Item.parent) var children: ObjectSet<Item>
        @Relationship var parent: Item?
    }

    /// What an item is, its links included.
    private struct State: Equatable {
        var rank: Int
        var name: String
        var note: String?
        var parent: ObjectID?
        var children: [ObjectID]
    }

    private static func states(_ context: ManagedObjectContext) throws -> [ObjectID: State] {
        let items = try context.fetch(Item.self).map { item in
            (
                item.objectID,
                State(
                    rank: item.rank, name: item.name, note: item.note,
                    parent: item.parent?.objectID, children: item.children.map(\.objectID))
            )
        }
        return Dictionary(uniqueKeysWithValues: items)
    }

    private static func pending(_ context: ManagedObjectContext) -> [[ObjectID]] {
        [context.insertedObjects, context.updatedObjects, context.deletedObjects].map {
            $0.map(\.objectID).sorted { $0.number < $1.number }
        }
    }

    private static func request(_ random: inout SplitMix64) throws -> FetchRequest<Item> {
        let orders: [[SortDescriptor<Item>]] = [
            [], [SortDescriptor(\.rank)], [SortDescriptor(\.rank, order: .reverse)],
            [SortDescriptor(\.name), SortDescriptor(\.rank, order: .reverse)],
            [SortDescriptor(\.children.count), SortDescriptor(\.name)],
        ]
        let limit = random.pick([nil, nil, 0, 1, 3, 7, 100, -1])
        let (order, offset) = (random.pick(orders), random.pick([0, 0, 0, 2, 50]))
        let bound = random.below(12)
        switch random.below(4) {
        case 0: return FetchRequest(sortBy: order, limit: limit, offset: offset)
        case 1:
            return FetchRequest(
                predicate: #Predicate { $0.rank < bound }, sortBy: order, limit: limit,
                offset: offset)
        case 2:
            return try FetchRequest(
                where: "children.@count > 0 OR name == %@", "Arch", sortBy: order, limit: limit,
                offset: offset)
        default:
            return FetchRequest(
                predicate: #Predicate { $0.parent?.rank ?? 0 > bound / 2 && $0.rank > bound / 3 },
                sortBy: order, limit: limit)
        }
    }

    /// Changes an item so that it comes elsewhere in the order, and others may match that did not.
    private static func change(_ item: Item) {
        item.rank = 11 - item.rank
        item.name += "x"
        item.parent?.rank += 1
        if item.rank > 8 { item.parent = nil }
    }

    private static func edit(_ context: ManagedObjectContext, _ random: inout SplitMix64) throws {
        for _ in 0..<random.below(12) {
            let item = Item(context: context)
            item.rank = random.below(12)
            item.name = random.pick(["Arch", "Bay", "Cave"])
            let items = try context.fetch(Item.self)
            item.parent = random.maybe(Array(items.prefix(20)))
        }
    }

    @Test(arguments: UInt64(1)...6)
    func `do what the objects of a fetch would have done to them one by one`(seed: UInt64) throws {
        var random = SplitMix64(seed: RunSeed.mixed(seed))
        let store = try GraphStore(model: [Item.self])
        let (context, other) = (ManagedObjectContext(store), ManagedObjectContext(store))
        context.isUndoEnabled = true
        let shown = FetchRequest<Item>(
            predicate: #Predicate { $0.rank > 2 }, sortBy: [SortDescriptor(\.rank)], limit: 9)
        let live = try FetchedResultsController(shown, in: context)
        var told: [ObjectID] = []
        let subscription = context.onChange { change in
            if change.kind == .didChange { told += change.objects.deleted }
        }
        defer { subscription.cancel() }
        for step in 0..<40 {
            let note = Comment("Seed \(seed), step \(step)")
            try Self.edit(context, &random)
            try context.save()
            other.rollback()
            other.refreshAllObjects()
            let before = try Self.states(context)
            #expect(try Self.states(other) == before, note)
            let request = try Self.request(&random)
            let found = Array(try other.fetch(request))
            told = []
            if random.below(2) == 0 {
                for item in found { other.delete(item) }
                #expect(try context.deleteAll(request) == found.count, note)
            } else {
                for item in found { Self.change(item) }
                #expect(try context.updateAll(request, Self.change) == found.count, note)
            }
            context.processPendingChanges()
            let after = try Self.states(context)
            #expect(try Self.states(other) == after, note)
            #expect(Self.pending(context) == Self.pending(other), note)
            #expect(Set(told) == Set(before.keys).subtracting(after.keys), note)
            #expect(
                Array(live.snapshot.identifiers) == (try context.identifiers(of: shown)), note)
            if before != after {
                context.undo()
                #expect(try Self.states(context) == before, note)
                context.redo()
                #expect(try Self.states(context) == after, note)
            }
            #expect(context.brokenInvariants == [], note)
            if random.below(3) == 0 { context.rollback() }
        }
    }

    @Test func `a format string says which objects`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Item.self]))
        try context.insert(Item.self, from: 0..<9) { item, rank in
            item.rank = rank
            item.name = rank < 4 ? "Arch" : "Bay"
        }
        try context.save()
        #expect(
            try context.updateAll(Item.self, where: "name == %@ AND rank > %d", "Arch", 1) {
                $0.note = "far"
            } == 2)
        #expect(try context.deleteAll(Item.self, where: "note == NIL AND rank < 7") == 5)
        #expect(try context.fetch(Item.self).map(\.rank) == [2, 3, 7, 8])
        #expect(try context.deleteAll(Item.self, where: "name == %@", "Cave") == 0)
        #expect(try context.updateAll(Item.self, where: "rank == 8") { context.delete($0) } == 1)
        #expect(try context.count(Item.self) == 3)
        let commit = context.store.commitNumber
        try context.save()
        #expect(context.store.commitNumber == commit + 1)
    }

    @Test func `a format string that says nothing is refused, and nothing happens`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Item.self]))
        try context.insert(Item.self, from: 0..<3) { $0.rank = $1 }
        try context.save()
        let error = #expect(throws: ContextError.self) {
            try context.deleteAll(Item.self, where: "rnk < %d", 2)
        }
        #expect(error?.description.contains("rank") ?? false, "\(String(describing: error))")
        #expect(throws: ContextError.self) {
            try context.updateAll(Item.self, where: "rank <") { $0.rank = 9 }
        }
        #expect(throws: ContextError.unknownClass("Land")) {
            try context.deleteAll(FetchRequest<Land>(limit: 1))
        }
        #expect(!context.hasChanges)
    }
}
