import Foundation
import Observation
import PlacesKit
import Testing

@Suite struct ObservationTests {
    let context: ManagedObjectContext
    let town: Town
    let land: Land
    let anna: Citizen

    init() throws {
        context = try TownModel.context()
        context.isObservable = true
        town = Town(context: context)
        land = context.land("A")
        anna = context.citizen("Anna")
        try context.save()
    }

    /// How often a change was told of something that was read.
    private final class Count: @unchecked Sendable {
        /// Only touched on the thread that changes objects, which is that of the test.
        var value = 0
    }

    /// Counts the changes of what `read` reads that are told while `change` runs.
    private func told<Value>(
        reading read: () -> Value, while change: () throws -> Void
    ) rethrows -> Int {
        let count = Count()
        withObservationTracking {
            _ = read()
        } onChange: {
            count.value += 1
        }
        try change()
        return count.value
    }

    // MARK: - Attributes

    @Test func `a changed attribute is told once for each time that it is read`() {
        let changes = told(reading: { town.name }) {
            town.name = "Ulm"
            town.name = "Bonn"
        }
        #expect(changes == 1)
        #expect(told(reading: { town.name }) { town.name = "Köln" } == 1)
    }

    @Test func `a write on every path is told`() throws {
        // The first write of a batch, one that is noted already, and one after a save.
        for _ in 0..<2 {
            for name in ["A", "B", "C"] {
                #expect(told(reading: { town.name }) { town.name = name } == 1, "\(name)")
            }
            try context.save()
        }
        town.name = "D"
        #expect(told(reading: { town.name }) { town.name = "E" } == 1)
    }

    @Test func `what was not read, or is written again as it is, is not told`() {
        let other = Town(context: context)
        #expect(
            told(reading: { town.name }) {
                town.founded = .now
                other.name = "Ulm"
                town.name = "Nameless"
            } == 0)
    }

    @Test func `several observers are each told`() {
        let (first, second) = (Count(), Count())
        withObservationTracking {
            _ = town.name
        } onChange: {
            first.value += 1
        }
        withObservationTracking {
            _ = (town.name, anna.age)
        } onChange: {
            second.value += 1
        }
        anna.age += 1
        #expect(first.value == 0 && second.value == 1)
        town.name = "Ulm"
        #expect(first.value == 1 && second.value == 1)
    }

    @Test func `an observer sees the new value, and may change objects`() {
        nonisolated(unsafe) let town = town
        nonisolated(unsafe) var seen = ""
        withObservationTracking {
            _ = town.name
        } onChange: {
            seen = town.name
            town.name = "Bonn"
        }
        town.name = "Ulm"
        #expect(seen == "Ulm" && town.name == "Bonn")
    }

    @Test func `who reads again while a change is told is told once of each change`() throws {
        nonisolated(unsafe) let (town, land) = (town, land)
        nonisolated(unsafe) var seen: [Int] = []
        @Sendable func follow() {
            withObservationTracking {
                _ = (town.land, town.name, land.towns.count, land.name)
            } onChange: {
                seen.append(land.towns.count)
                // Who observes objects keeps them until they change.
                if seen.count < 7 { follow() }
            }
        }
        follow()
        town.land = land
        #expect(seen == [1])
        land.towns.remove(town)
        #expect(seen == [1, 0])
        land.towns.insert(town)
        town.name = "Ulm"
        #expect(seen == [1, 0, 1, 1])
        context.delete(town)
        #expect(seen == [1, 0, 1, 1, 0])
        land.name = "B"
        #expect(seen.count == 6)
        context.rollback()
        #expect(seen.count == 7)
    }

    // MARK: - Relationships

    @Test func `a changed relationship is told on both sides`() {
        #expect(told(reading: { town.land }) { land.towns.insert(town) } == 1)
        #expect(told(reading: { land.towns.count }) { town.land = nil } == 1)
        #expect(told(reading: { anna.governs }) { town.mayor = anna } == 1)
        let club = Club(context: context)
        #expect(told(reading: { anna.clubs.isEmpty }) { club.members.insert(anna) } == 1)
        #expect(told(reading: { club.members.contains(anna) }) { anna.clubs.removeAll() } == 1)
    }

    @Test func `the members of a set that was read before are observed too`() {
        let towns = land.towns
        #expect(told(reading: { towns.count }) { town.land = land } == 1)
        #expect(told(reading: { towns.map(\.name) }) { town.name = "Ulm" } == 1)
    }

    @Test func `a change is told when it is whole`() {
        nonisolated(unsafe) let (town, land) = (town, land)
        nonisolated(unsafe) var isWhole = false
        withObservationTracking {
            _ = land.towns.count
        } onChange: {
            isWhole = land.towns.contains(town) && town.land === land
        }
        town.land = land
        #expect(isWhole)
    }

    /// What an observer of an album sees of it when he is told of a change.
    private func seen(of album: OrderedModel.Album, while change: () -> Void) -> [Int]? {
        nonisolated(unsafe) let album = album
        nonisolated(unsafe) var seen: [Int]?
        withObservationTracking {
            _ = album.photos.map(\.number)
        } onChange: {
            seen = album.photos.map(\.number)
        }
        change()
        return seen
    }

    @Test func `members that move or come to a place are told of when all are where they belong`()
        throws
    {
        let context = try OrderedModel.context()
        context.isObservable = true
        let album = OrderedModel.Album(context: context)
        let other = OrderedModel.Album(context: context)
        func photo(_ number: Int) -> OrderedModel.Photo {
            let photo = OrderedModel.Photo(context: context)
            photo.number = number
            return photo
        }
        for number in 0..<4 { album.photos.append(photo(number)) }
        other.photos.append(photo(8))
        let new = photo(9)
        #expect(seen(of: album) { album.photos.move(from: 0, to: 3) } == [1, 2, 3, 0])
        #expect(
            seen(of: album) { album.photos.move(fromOffsets: [0, 1], toOffset: 4) }
                == [3, 0, 1, 2])
        #expect(seen(of: album) { album.photos.insert(new, at: 0) } == [9, 3, 0, 1, 2])
        #expect(seen(of: other) { other.photos = album.photos } == [9, 3, 0, 1, 2])
        #expect(seen(of: other) { other.photos.move(from: 1, to: 1) } == nil)
        // Who observes an object keeps it until it changes.
        other.photos.removeAll()
    }

    @Test func `a delete is told to whoever reads the object or its links`() {
        town.land = land
        #expect(told(reading: { town.isDeleted }) { context.delete(town) } == 1)
        let other = Town(context: context)
        other.land = land
        #expect(told(reading: { other.name }) { context.delete(other) } == 1)
        let third = Town(context: context)
        third.land = land
        #expect(told(reading: { land.towns.count }) { context.delete(third) } == 1)
    }

    @Test func `a derived attribute is told when what it is derived from changes`() throws {
        let context = ManagedObjectContext(try GraphStore(model: ShelfModel.types))
        context.isObservable = true
        let shelf = ShelfModel.Shelf(context: context)
        let item = ShelfModel.Item(context: context)
        #expect(told(reading: { shelf.itemCount }) { item.shelf = shelf } == 1)
        #expect(told(reading: { shelf.isLit }) { item.isLit = true } == 1)
        #expect(told(reading: { shelf.isLit }) { item.size = 9 } == 0)
        #expect(told(reading: { shelf.size }) { context.delete(item) } == 1)
    }

    // MARK: - Whoever changed it

    @Test func `a rollback is told`() {
        town.name = "Ulm"
        town.land = land
        #expect(told(reading: { town.name }, while: context.rollback) == 1)
        #expect(town.name == "Nameless")
        #expect(told(reading: { town.name }, while: context.rollback) == 0)
    }

    @Test func `what another context saved is told when it is merged`() throws {
        let other = ManagedObjectContext(context.store)
        try other.twin(of: town).name = "Ulm"
        try other.twin(of: town).land = other.twin(of: land)
        try other.save()
        #expect(told(reading: { town.founded }, while: context.refreshAllObjects) == 0)
        try other.twin(of: town).name = "Bonn"
        try other.save()
        anna.age = 3
        #expect(told(reading: { town.name }, while: context.refreshAllObjects) == 1)
        #expect(town.name == "Bonn")
        try other.twin(of: town).land = nil
        try other.save()
        #expect(try told(reading: { land.towns.count }, while: context.save) == 1)
    }

    @Test func `a save or a merge that leaves a changed value as it is tells nothing`() throws {
        town.name = "Ulm"
        #expect(try told(reading: { town.name }, while: context.save) == 0)
        let other = ManagedObjectContext(context.store)
        try other.twin(of: land).number = 4
        try other.save()
        town.name = "Bonn"
        #expect(told(reading: { town.name }, while: context.refreshAllObjects) == 0)
    }

    @Test func `a batch is told`() throws {
        let changes = try told(reading: { town.name }) {
            try context.updateAll(Town.self, set: \.name, to: "Ulm")
        }
        #expect(changes == 1)
        #expect(
            try told(reading: { land.number }) {
                try context.upsert(Land.self, by: \.name, from: ["A"], key: \.self) { land, _ in
                    land.number = 3
                }
            } == 1)
    }

    @Test @MainActor func `a context that is made on an actor is observable as it is`() throws {
        let context = ManagedObjectContext(try TownModel.store())
        let town = Town(context: context)
        let count = Count()
        withObservationTracking {
            _ = town.name
        } onChange: {
            count.value += 1
        }
        town.name = "Ulm"
        #expect(count.value == 1)
        #expect(!ManagedObjectContext(context.store, isolation: nil).isObservable)
    }

    @Test func `a context that is not observable tells nothing`() {
        context.isObservable = false
        #expect(told(reading: { town.name }) { town.name = "Ulm" } == 0)
        context.isObservable = true
        #expect(told(reading: { town.name }) { town.name = "Bonn" } == 1)
    }

    @Test func `objects are observed without being kept`() throws {
        let count = Count()
        for number in 0..<50 { context.citizen("\(number)").age = number }
        try context.save()
        withObservationTracking {
            _ = try? context.fetch(Citizen.self).reduce(0) { $0 + $1.age }
        } onChange: {
            count.value += 1
        }
        try context.find(number: 17)?.age = 99
        #expect(count.value == 1)
        #expect(context.brokenInvariants == [])
    }
}

extension ManagedObjectContext {
    fileprivate func find(number: Int) throws -> Citizen? {
        try fetch(Citizen.self).first { $0.name == "\(number)" }
    }
}
