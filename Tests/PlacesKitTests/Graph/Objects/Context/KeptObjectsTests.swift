import Foundation
import PlacesKit
import Testing

@Suite struct KeptObjectsTests {
    let context: ManagedObjectContext

    init() throws {
        context = try TownModel.context()
    }

    /// A saved land with some towns, none of which anybody holds.
    private func land(_ count: Int) throws -> Land {
        let land = context.land("Atlantis")
        for number in 0..<count {
            let town = Town(context: context)
            town.name = "Town \(number)"
            town.land = land
        }
        try context.save()
        return land
    }

    // MARK: - What is kept

    @Test func `an object to which a relationship led is kept until it is released`() throws {
        let land = try land(3)
        weak let town = land.towns.first
        #expect(town?.name == "Town 0")
        #expect(town != nil)
        #expect(context.registeredObjects.count == 2)
        context.releaseKeptObjects()
        #expect(town == nil)
        #expect(context.keptObjectCount == 0)
        #expect(land.towns.first?.name == "Town 0")
    }

    @Test func `every way to one object keeps it`() throws {
        let land = try land(2)
        let id = try #require(land.towns.first?.objectID)
        context.releaseKeptObjects()
        let ways: [() -> ManagedObject?] = [
            { land.towns.first }, { Array(land.towns).first },
            { land.towns[land.towns.startIndex] },
            { context.object(with: id) },
        ]
        for way in ways {
            weak let town = way()
            #expect(town != nil)
            context.releaseKeptObjects()
            #expect(town == nil)
        }
        weak var found: Land?
        do {
            let other = try ManagedObjectContext(context.store).find(Land.self, \.name, "Atlantis")
            found = other?.towns.first?.land
            #expect(found === other)
        }
        #expect(found == nil)
    }

    @Test func `what is inserted, fetched or scanned is not kept`() throws {
        let land = try land(20)
        for town in try context.fetch(Town.self) { #expect(town.name != "") }
        #expect(try context.fetch(Town.self)[3].name == "Town 3")
        let sorted = FetchRequest<Town>(
            sortBy: [SortDescriptor(\.name, comparator: .localizedStandard)])
        #expect(try context.fetch(sorted).first?.name == "Town 0")
        for town in try context.fetch(Town.self) { town.name += "!" }
        try context.save()
        #expect(context.keptObjectCount == 0)
        #expect(context.registeredObjects == [land])
    }

    @Test func `the objects that were kept first make room for others`() throws {
        let land = try land(10)
        context.keptObjectLimit = 4
        weak let first = land.towns.first
        #expect(first != nil)
        #expect(land.towns.map(\.name).count == 10)
        #expect(first == nil)
        #expect(context.keptObjectCount == 4)
        #expect(context.registeredObjects.count == 5)
        context.keptObjectLimit = .max
        #expect(land.towns.map(\.name).count == 10)
        #expect(context.keptObjectCount == 10)
        #expect(context.brokenInvariants == [])
        context.keptObjectLimit = 2
        #expect(context.keptObjectCount <= 2)
        #expect(land.towns.map(\.name) == (0..<10).map { "Town \($0)" })
        #expect(context.brokenInvariants == [])
    }

    @Test(arguments: [1, 0, -1])
    func `with the smallest limit an object lives until the next of its class is asked for`(
        limit: Int
    ) throws {
        let land = try land(3)
        context.keptObjectLimit = limit
        #expect(context.keptObjectLimit == 1)
        weak let town = land.towns.first
        #expect(town != nil)
        #expect(land.towns.map(\.name).count == 3)
        #expect(town == nil)
        #expect(context.keptObjectCount == 1)
        #expect(context.brokenInvariants == [])
    }

    @Test(arguments: [1, 3, 50]) func `objects that somebody holds stay themselves`(limit: Int)
        throws
    {
        let land = try land(40)
        context.keptObjectLimit = limit
        var held: [Town] = []
        weak var watched: Town?
        for (number, town) in land.towns.enumerated() {
            if number.isMultiple(of: 3) { held.append(town) }
            if number == 7 { watched = town }
            #expect(town.name == "Town \(number)")
            #expect(watched == nil || watched?.name == "Town 7")
        }
        #expect(held.map(\.name) == (0..<14).map { "Town \($0 * 3)" })
        for town in held { #expect(try context.twin(of: town) === town) }
        #expect(context.brokenInvariants == [])
    }

    @Test func `objects of several classes make room for each other`() throws {
        let land = try land(12)
        for town in Array(land.towns) {
            town.mayor = context.citizen("Mayor of \(town.name)")
        }
        try context.save()
        context.keptObjectLimit = 3
        for _ in 0..<3 {
            for (number, town) in land.towns.enumerated() {
                #expect(town.mayor?.name == "Mayor of Town \(number)")
                #expect(town.mayor?.governs === town)
            }
        }
        #expect(context.brokenInvariants == [])
    }

    // MARK: - How long

    @Test func `a deleted object is kept until its delete is saved`() throws {
        let land = try land(2)
        weak let town = land.towns.first
        context.delete(try #require(town))
        #expect(town?.isDeleted == true)
        try context.save()
        #expect(town == nil)
        #expect(land.towns.map(\.name) == ["Town 1"])
        #expect(context.brokenInvariants == [])
    }

    @Test func `an object that others delete is kept until that is merged`() throws {
        let land = try land(2)
        weak let town = land.towns.first
        let other = ManagedObjectContext(context.store)
        other.delete(try other.twin(of: #require(town)))
        try other.save()
        #expect(town?.isDeleted == false)
        context.refreshAllObjects()
        #expect(town == nil)
        #expect(context.brokenInvariants == [])
    }

    @Test func `a context that nobody holds goes at once with the objects that it keeps`() throws {
        let store = context.store
        _ = try land(3)
        weak var town: Town?
        weak var gone: ManagedObjectContext?
        do {
            let context = ManagedObjectContext(store)
            gone = context
            town = try context.find(Land.self, \.name, "Atlantis")?.towns.first
            #expect(town != nil)
        }
        #expect(gone == nil)
        #expect(town == nil)
    }

    @Test func `an object alone keeps its context usable, and nothing is kept with it`() throws {
        let store = context.store
        _ = try land(3)
        var land = try ManagedObjectContext(store).find(Land.self, \.name, "Atlantis")
        weak var town = land?.towns.first
        #expect(town == nil)
        #expect(land?.towns.map(\.name) == ["Town 0", "Town 1", "Town 2"])
        let context = try #require(land?.context)
        #expect(land?.context === context)
        town = land?.towns.first
        #expect(town != nil)
        land?.name = "Ys"
        #expect(context.hasChanges)
        land = nil
        #expect(town?.land?.name == "Ys")
        try context.save()
        #expect(try ManagedObjectContext(store).find(Land.self, \.name, "Ys") != nil)
        #expect(context.brokenInvariants == [])
    }

    @Test func `a change that an object's context made is not lost with the context`() throws {
        let store = context.store
        let land: Land
        do {
            let context = ManagedObjectContext(store)
            context.isUndoEnabled = true
            land = context.land("Ys")
        }
        #expect(land.context?.hasChanges == true)
        try land.context?.save()
        land.name = "Is"
        land.context?.undo()
        #expect(land.name == "Ys")
        #expect(land.isInserted == false)
    }

    @Test func `a subscription ends whether the context or only its state is left`() throws {
        let land = try land(1)
        var heard = 0
        let object: Land
        let subscription: ChangeSubscription
        do {
            let context = ManagedObjectContext(context.store)
            object = try context.twin(of: land)
            subscription = context.onChange { _ in heard += 1 }
        }
        object.name = "Ys"
        object.context?.processPendingChanges()
        #expect(heard == 1)
        subscription.cancel()
        object.name = "Is"
        object.context?.processPendingChanges()
        #expect(heard == 1)
    }

    @MainActor @Test func `changes of an object alone are told when a turn of its actor ends`()
        async throws
    {
        let store = try TownModel.store()
        let land: Land
        let changes: ChangeStream<ContextChange>
        do {
            let context = ManagedObjectContext(store)
            land = context.land("Ys")
            try context.save()
            changes = context.changes
        }
        land.name = "Is"
        for await change in changes where change.kind == .didChange {
            #expect(change.objects.updated.keys.first == land.objectID)
            break
        }
        let other = ManagedObjectContext(store)
        try other.find(Land.self, \.name, "Ys")?.number = 7
        try other.save()
        for await change in changes where change.kind == .didMerge { break }
        #expect(land.number == 7)
        #expect(land.name == "Is")
    }

    // MARK: - Hooks

    @Test func `a kept object wakes once, and again after it was released`() throws {
        let store = try GraphStore(model: [Diary.self, Page.self])
        let context = ManagedObjectContext(store)
        let diary = Diary(context: context)
        for number in 0..<3 {
            let page = Page(context: context)
            page.number = number
            page.diary = diary
        }
        try context.save()
        let ear = Ear()
        Ear.$current.withValue(Ear.UnsafeEar(ear: ear)) {
            for _ in 0..<2 { #expect(diary.pages.map(\.depth) == [0, 1, 2]) }
            #expect(ear.take() == ["fetch 0", "fetch 1", "fetch 2"])
            context.releaseKeptObjects()
            #expect(diary.pages.map(\.depth) == [0, 1, 2])
            #expect(ear.take() == ["fetch 0", "fetch 1", "fetch 2"])
            context.keptObjectLimit = 2
            #expect(diary.pages.map(\.depth) == [0, 1, 2])
            #expect(diary.pages.map(\.depth) == [0, 1, 2])
            #expect(context.brokenInvariants == [])
        }
    }

    @Test func `an object that ends may ask its context for others`() throws {
        let store = try GraphStore(model: [Knot.self])
        let context = ManagedObjectContext(store)
        let first = Knot(context: context)
        var last = first
        for number in 1..<12 {
            let knot = Knot(context: context)
            knot.number = number
            last.next = knot
            last = knot
        }
        try context.save()
        for limit in [1, 2, 3, 100] {
            context.keptObjectLimit = limit
            for _ in 0..<3 {
                var (knot, count): (Knot?, Int) = (first, 0)
                while let current = knot {
                    #expect(current.number == count)
                    (knot, count) = (current.next, count + 1)
                }
                #expect(count == 12)
                #expect(context.brokenInvariants == [])
            }
            context.releaseKeptObjects()
            #expect(context.brokenInvariants == [])
        }
        withExtendedLifetime(last) {}
    }
}

/// A class whose objects walk on when they end.
final class Knot: ManagedObject {
    @Attribute var number = 0
    @Relationship(inverse: \Knot.previous) var next: Knot?
    @Relationship var previous: Knot?
    /// Keeps handles from being used for other objects.
    private var mark = 0

    deinit {
        mark = next?.next?.number ?? previous?.number ?? -1
        _ = context?.keptObjectCount
    }
}
