import PlacesKit
import Testing

/// What one object is told to have gone through.
@Suite struct ObjectEventTests {
    let context: ManagedObjectContext

    init() throws {
        context = try TownModel.context()
    }

    @Test func `one object's changes come in order, and no other's`() async throws {
        let (town, other) = (Town(context: context), Town(context: context))
        try context.save()
        var changes = context.changes(of: town).makeAsyncIterator()
        other.name = "Bonn"
        context.processPendingChanges()
        (town.name, town.land) = ("Ulm", context.land("A"))
        try context.save()
        other.name = "Kiel"
        town.name = "Ulm on the Danube"
        context.processPendingChanges()
        #expect(await changes.next() == .updated(["name", "land"]))
        #expect(await changes.next() == .updated(["name"]))
        context.delete(town)
        context.processPendingChanges()
        #expect(await changes.next() == .deleted)
        context.rollback()
        #expect(await changes.next() == .inserted)
    }

    @Test func `what others committed is told when it is merged`() async throws {
        let town = Town(context: context)
        try context.save()
        var changes = context.changes(of: town).makeAsyncIterator()
        let other = ManagedObjectContext(context.store)
        let twin = try other.twin(of: town)
        twin.name = "Ulm"
        try other.save(shownTo: context)
        #expect(await changes.next() == .updated(["name"]))
        other.delete(twin)
        try other.save(shownTo: context)
        #expect(await changes.next() == .deleted)
    }

    @Test func `each of many objects of one change is told what it went through`() throws {
        let towns = (0..<300).map { _ in Town(context: context) }
        try context.save()
        var told: [ObjectEvent?] = []
        var new: [Town] = []
        let subscription = context.onChange { change in
            guard change.kind != .didSave else { return }
            for town in towns + new { told.append(change.objects.event(of: town.objectID)) }
        }
        for (number, town) in towns.enumerated() {
            switch number % 3 {
            case 0: town.name = "Ulm"
            case 1: context.delete(town)
            default: new.append(Town(context: context))
            }
        }
        context.processPendingChanges()
        subscription.cancel()
        let events: [ObjectEvent?] = [.updated(["name"]), .deleted, nil]
        #expect(
            told == (0..<300).map { events[$0 % 3] } + Array(repeating: .inserted, count: 100))
    }

    @Test func `an object that takes the place of a deleted one is another`() async throws {
        let town = Town(context: context)
        try context.save()
        let id = town.objectID
        var (told, texts): ([ObjectEvent?], [ObjectEvent?]) = ([], [])
        let subscription = context.onChange { change in
            guard change.kind != .didSave else { return }
            told.append(change.objects.event(of: id))
            texts.append(change.objects.inserted.first.flatMap(change.objects.event))
        }
        context.delete(town)
        _ = Town(context: context)
        context.processPendingChanges()
        _ = Town(context: context)
        context.processPendingChanges()
        subscription.cancel()
        #expect(told == [.deleted, nil])
        #expect(texts == [.inserted, .inserted])
    }

    @Test func `the sequence ends with the context`() async throws {
        var context: ManagedObjectContext? = try TownModel.context()
        var town = context.map { Town(context: $0) }
        context?.processPendingChanges()
        let sequence = town.flatMap { context?.changes(of: $0) }
        var changes = try #require(sequence).makeAsyncIterator()
        town?.name = "Ulm"
        context?.processPendingChanges()
        (context, town) = (nil, nil)
        #expect(await changes.next() == .updated(["name"]))
        #expect(await changes.next() == nil)
    }

    @Test func `an identifier of no object of the model tells nothing`() throws {
        let elsewhere = ManagedObjectContext(try GraphStore(model: [Branch.self]))
        let branch = Branch(context: elsewhere)
        var told: [ObjectEvent?] = []
        let subscription = context.onChange { told.append($0.objects.event(of: branch.objectID)) }
        _ = Town(context: context)
        context.processPendingChanges()
        subscription.cancel()
        #expect(told == [nil])
    }
}
