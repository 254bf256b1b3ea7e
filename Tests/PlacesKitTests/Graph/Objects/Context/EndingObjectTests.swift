import PlacesKit
import Testing

/// A class may do something with its context when an object ends, also where that is in the midst of what the context does.
@Suite struct EndingObjectTests {
    final class House: ManagedObject {
        @Attribute var number = 0
        @Relationship(deleteRule: .cascade) var guests: ObjectSet<Guest>
    }

    /// When one ends, whoever wants to know gets its context.
    final class Guest: ManagedObject {
        @Relationship(inverse: \House.guests) var house: House?
        @TaskLocal static var farewell: (@Sendable (ManagedObjectContext) -> Void)?

        deinit {
            if let farewell = Self.farewell, let context { farewell(context) }
        }
    }

    let store: GraphStore
    let context: ManagedObjectContext

    init() throws {
        store = try GraphStore(model: [House.self, Guest.self])
        context = ManagedObjectContext(store)
    }

    /// A saved house, and some guests that are not; the context keeps their objects, and nobody else does.
    private func house(_ count: Int) throws -> House {
        let house = House(context: context)
        try context.save()
        for _ in 0..<count { Guest(context: context).house = house }
        #expect(Array(house.guests).count == count)
        #expect(context.keptObjectCount == count)
        return house
    }

    @Test(arguments: ["insert", "roll back", "save"])
    func `an object whose insert is rolled back may change its context when it ends`(
        _ way: String
    ) throws {
        let house = try house(3)
        Guest.$farewell.withValue({ context in
            switch way {
            case "insert": _ = House(context: context)
            case "roll back": context.rollback()
            default: _ = try? context.save()
            }
        }) { context.rollback() }
        #expect(context.keptObjectCount == 0)
        #expect(context.brokenInvariants == [])
        // What was given up is used again when no graph has it any more.
        let last = House(context: context)
        try context.save()
        #expect(context.brokenInvariants == [])
        let houses = try ManagedObjectContext(store).count(FetchRequest<House>())
        #expect(houses == (way == "insert" ? 5 : 2))
        withExtendedLifetime((house, last)) {}
    }

    @Test func `listeners hear once of what an object saves that ends with a rollback`() throws {
        let house = try house(1)
        var inserted: [ObjectID] = []
        let subscription = context.onChange { change in
            if change.kind != .didSave { inserted += change.objects.inserted }
        }
        Guest.$farewell.withValue({ context in
            _ = House(context: context)
            _ = try? context.save()
        }) { context.rollback() }
        context.processPendingChanges()
        #expect(inserted.count == 1 && Set(inserted).count == 1)
        #expect(!context.hasChanges && context.brokenInvariants == [])
        subscription.cancel()
        withExtendedLifetime(house) {}
    }

    @Test func `a save with which an object ends that saves, too, is one commit`() throws {
        let house = try house(2)
        try context.save()
        context.delete(try #require(house.guests.first))
        let number = store.commitNumber
        try Guest.$farewell.withValue({ _ = try? $0.save() }) { try context.save() }
        #expect(store.commitNumber == number + 1)
        #expect(house.guests.count == 1 && context.keptObjectCount == 1)
        #expect(!context.hasChanges && context.brokenInvariants == [])
    }

    @Test(arguments: [false, true])
    func `an object that ends with a merge may save, and nobody's work is lost`(_ isPending: Bool)
        throws
    {
        let house = try house(2)
        try context.save()
        let other = ManagedObjectContext(store)
        let twin = try other.existingObject(House.self, with: house.objectID)
        twin.number = 7
        other.delete(try #require(twin.guests.first))
        try other.save()
        if isPending { _ = House(context: context) }
        Guest.$farewell.withValue({ context in
            _ = House(context: context)
            _ = try? context.save()
        }) { context.refreshAllObjects() }
        #expect(!context.hasChanges && context.keptObjectCount == 1)
        #expect(context.brokenInvariants == [] && store.snapshot().brokenInvariants == [])
        other.rollback()
        #expect(twin.number == 7 && twin.guests.count == 1)
        #expect(try other.count(FetchRequest<House>()) == (isPending ? 3 : 2))
    }

    @Test func `what is pending stays so though an object that ends looks at it`() throws {
        let house = try house(2)
        try context.save()
        let other = ManagedObjectContext(store)
        let twin = try other.existingObject(House.self, with: house.objectID)
        other.delete(try #require(twin.guests.first))
        try other.save()
        house.number = 7
        Guest.$farewell.withValue({ $0.processPendingChanges() }) { context.refreshAllObjects() }
        #expect(context.hasChanges)
        try context.save()
        other.rollback()
        #expect(twin.number == 7 && twin.guests.count == 1)
    }
}
