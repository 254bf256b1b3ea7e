import PlacesKit
import Testing

@Suite struct IdentityTests {
    let context: ManagedObjectContext

    init() throws {
        context = try TownModel.context()
    }

    private func towns(_ count: Int) {
        for number in 0..<count {
            let town = Town(context: context)
            town.name = "Town \(number)"
        }
    }

    @Test func `every way to an object leads to the same handle`() throws {
        let land = context.land("Atlantis")
        let town = Town(context: context)
        town.land = land
        #expect(town.land === land)
        #expect(land.towns.first === town)
        #expect(try context.fetch(Land.self).first === land)
        #expect(try context.find(Land.self, \.name, "Atlantis") === land)
        #expect(try context.existingObject(with: land.objectID) === land)
        #expect(context.insertedObjects == [land, town])
        try context.save()
        #expect(try context.fetch(Town.self).first === town)
    }

    @Test func `an identifier is the same in every context and through a save`() throws {
        let town = Town(context: context)
        let id = town.objectID
        try context.save()
        #expect(town.objectID == id)
        let other = ManagedObjectContext(context.store)
        #expect(try other.existingObject(with: id) !== town)
        #expect(try other.existingObject(with: id).objectID == id)
        #expect(town.id == id)
        #expect("\(id)" == "Town/0")
    }

    @Test func `an identifier without an object is an error`() throws {
        let town = Town(context: context)
        let id = town.objectID
        context.delete(town)
        #expect(throws: ContextError.noSuchObject(id)) { try context.existingObject(with: id) }
        for id in [
            ObjectID(entity: "Town", number: -1), ObjectID(entity: "Town", number: .max),
            ObjectID(entity: "Town", number: 1_000_000), ObjectID(entity: "Nowhere", number: 0),
        ] {
            #expect(throws: ContextError.noSuchObject(id)) { try context.existingObject(with: id) }
        }
    }

    @Test func `a handle that nobody keeps goes, and its object stays`() throws {
        weak var handle: Town?
        do {
            let town = Town(context: context)
            town.name = "Ys"
            handle = town
            #expect(handle != nil)
        }
        #expect(handle == nil)
        #expect(try context.fetch(Town.self).first?.name == "Ys")
    }

    @Test func `objects kept during an iteration stay themselves`() throws {
        towns(50)
        var kept: [Town] = []
        for (number, town) in try context.fetch(Town.self).enumerated() {
            if number.isMultiple(of: 3) { kept.append(town) }
            #expect(town.name == "Town \(number)")
        }
        #expect(kept.map(\.name) == (0..<17).map { "Town \($0 * 3)" })
        #expect(Set(kept).count == 17)
        for town in kept { #expect(try context.twin(of: town) === town) }
    }

    @Test func `a weak reference made during an iteration keeps meaning its object`() throws {
        towns(3)
        weak var first: Town?
        for town in try context.fetch(Town.self) {
            if first == nil, town.name == "Town 0" { first = town }
            #expect(first == nil || first?.name == "Town 0")
        }
    }

    @Test func `two copies of an iterator do not share a handle`() throws {
        towns(4)
        var iterator = try context.fetch(Town.self).makeIterator()
        #expect(iterator.next()?.name == "Town 0")
        var copy = iterator
        #expect(iterator.next()?.name == "Town 1")
        #expect(copy.next()?.name == "Town 1")
        #expect(copy.next()?.name == "Town 2")
        #expect(iterator.next()?.name == "Town 2")
        #expect(iterator.next()?.name == "Town 3")
        #expect(iterator.next() == nil)
        #expect(context.brokenInvariants == [])
    }

    @Test func `nested iterations over the same objects see each object`() throws {
        towns(5)
        let results = try context.fetch(Town.self)
        var names: [String] = []
        for outer in results {
            for inner in results { names.append(outer.name + inner.name) }
        }
        let expected = (0..<5).flatMap { outer in
            (0..<5).map { "Town \(outer)Town \($0)" }
        }
        #expect(names == expected)
        #expect(context.brokenInvariants == [])
    }

    @Test func `an iteration meets handles that somebody keeps already`() throws {
        towns(4)
        let kept = try context.fetch(Town.self)[2]
        for town in try context.fetch(Town.self) where town.name == "Town 2" {
            #expect(town === kept)
        }
        #expect(kept.name == "Town 2")
    }

    class Cached: ManagedObject { var cache: Int? }
    final class Item: Cached { @Attribute var number = 0 }
    final class Noted: ManagedObject {
        @Attribute var number = 0
        var note: Int?
    }

    @Test func `what a class keeps besides its properties does not wander to other objects`() throws
    {
        let context = ManagedObjectContext(try GraphStore(model: [Item.self, Noted.self]))
        for _ in 0..<5 {
            _ = Item(context: context)
            _ = Noted(context: context)
        }
        for item in try context.fetch(Item.self) {
            #expect(item.cache == nil)
            item.cache = 1
        }
        for noted in try context.fetch(Noted.self) {
            #expect(noted.note == nil)
            noted.note = 1
        }
    }

    @Test func `a handle keeps what its context is alive`() throws {
        weak var store: GraphStore?
        var town: Town?
        do {
            let own = try TownModel.context()
            store = own.store
            town = Town(context: own)
            town?.name = "Ulm"
        }
        #expect(store != nil)
        #expect(town?.name == "Ulm")
        town?.name = "Neu-Ulm"
        #expect(town?.context?.hasChanges == true)
        try town?.context?.save()
        #expect(town?.name == "Neu-Ulm")
        #expect(town?.context?.hasChanges == false)
        town = nil
        #expect(store == nil)
    }

    @Test func `object sets, results and iterators keep their context alive`() throws {
        func set() throws -> ObjectSet<Town> {
            let land = try TownModel.context().land("Atlantis")
            guard let context = land.context else { return land.towns }
            land.towns.insert(Town(context: context))
            return land.towns
        }
        func results() throws -> FetchedResults<Town> {
            let context = try TownModel.context()
            _ = Town(context: context)
            return try context.fetch(Town.self)
        }
        #expect(try set().first?.name == "Nameless")
        #expect(try results().first?.name == "Nameless")
        var iterator = try results().makeIterator()
        #expect(iterator.next()?.name == "Nameless")
        #expect(iterator.next() == nil)
    }

    @Test func `objects made while another is being made get their own slots`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Nested.self, Item.self]))
        Nested.context = context
        defer { Nested.context = nil }
        let nested = Nested(context: context)
        nested.second = "b"
        nested.first = "a"
        #expect(nested.first == "a" && nested.second == "b")
        #expect(nested.item?.number == 0)
        nested.item?.number = 8
        #expect(try context.fetch(Item.self).map(\.number) == [8])
    }

    final class Nested: ManagedObject {
        nonisolated(unsafe) static var context: ManagedObjectContext?
        @Attribute var first = ""
        let item = Nested.context.map(Item.init(context:))
        @Attribute var second = ""
    }

    @Test func `handles of a thousand and more objects are each their own`() throws {
        towns(2_500)
        let all = Array(try context.fetch(Town.self))
        #expect(Set(all).count == 2_500)
        #expect(all[1_023].name == "Town 1023" && all[1_024].name == "Town 1024")
        #expect(context.brokenInvariants == [])
    }

    @Test func `a change is pending whether its handle is kept or not`() throws {
        towns(2)
        try context.save()
        try context.fetch(Town.self).first?.name = "Ys"
        #expect(context.registeredObjects.isEmpty && context.hasChanges)
        #expect(try context.fetch(Town.self).map(\.name) == ["Ys", "Town 1"])
        #expect(context.updatedObjects.count == 1)
        try context.save()
        let other = ManagedObjectContext(context.store)
        #expect(try other.fetch(Town.self).map(\.name) == ["Ys", "Town 1"])
    }
}
