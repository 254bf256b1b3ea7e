import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@Suite struct DerivedTests {
    private typealias Room = ShelfModel.Room
    private typealias Shelf = ShelfModel.Shelf
    private typealias Item = ShelfModel.Item
    private typealias Maker = ShelfModel.Maker
    private typealias Label = ShelfModel.Label

    private let context: ManagedObjectContext

    init() throws { context = try ShelfModel.context() }

    private func item(_ title: String, on shelf: Shelf?, isLit: Bool = false) -> Item {
        let item = Item(context: context)
        item.title = title
        item.isLit = isLit
        item.shelf = shelf
        return item
    }

    @Test func `a derived attribute follows its members' values and links`() throws {
        let shelf = Shelf(context: context)
        #expect(shelf.itemCount == 0 && !shelf.isLit && shelf.firstTitle == nil)
        let first = item("b", on: shelf)
        let second = item("a", on: shelf, isLit: true)
        #expect(shelf.itemCount == 2 && shelf.litCount == 1 && shelf.isLit)
        #expect(shelf.firstTitle == "a" && shelf.litTitles == 1 && shelf.size == 2)
        second.isLit = false
        #expect(!shelf.isLit && shelf.litTitles == 0)
        first.size = 40
        second.shelf = nil
        #expect(shelf.itemCount == 1 && shelf.firstTitle == "b" && shelf.size == 40)
        context.delete(first)
        #expect(shelf.itemCount == 0 && shelf.firstTitle == nil && shelf.size == 0)
        try context.checkIntegrity()
    }

    @Test func `what a closure makes of other attributes is found, sorted by and told like them`()
        throws
    {
        let shelf = Shelf(context: context)
        shelf.name = "ab"
        let first = item("lamp", on: shelf)
        let second = item("vase", on: nil, isLit: true)
        #expect(first.caption == "lamp of 1" && first.place == 1_999 && second.place == nil)
        try context.save()
        let results = try FetchedResultsController(
            FetchRequest<Item>(
                predicate: #Predicate { $0.place != nil }, sortBy: [SortDescriptor(\.place)]),
            in: context)
        second.isLit = false
        shelf.name = "abc"
        try context.save()
        #expect(results.objects.map(\.place) == [-1, 2_999])
        first.size = 40
        #expect(Array(try context.fetch(Item.self, searching: "40", in: \.caption)) == [first])
        let format = try FetchRequest<Item>(where: "caption ENDSWITH ' of 40'")
        #expect(try context.count(format) == 1)
        try context.checkIntegrity()
        context.rollback()
        #expect(first.caption == "lamp of 1")
        try context.checkIntegrity()
    }

    @Test func `the latest of many is an object that one fetches, sorts and goes on by`() throws {
        let shelves = (0..<3).map { number in
            let shelf = Shelf(context: context)
            shelf.name = "\(number)"
            return shelf
        }
        func dated(_ title: String, _ day: Double, on shelf: Shelf) -> Item {
            let item = item(title, on: shelf)
            item.day = Date(timeIntervalSinceReferenceDate: day)
            return item
        }
        let (early, late) = (
            dated("b", 1, on: shelves[0]), dated("a", 2, on: shelves[0])
        )
        let other = dated("c", 3, on: shelves[1])
        #expect(shelves.map(\.latest) == [late, other, nil])
        try context.save()
        let results = try FetchedResultsController(
            FetchRequest<Shelf>(
                predicate: #Predicate { $0.latest != nil },
                sortBy: [SortDescriptor(\.latest?.title)]), in: context)
        #expect(results.objects.map(\.name) == ["0", "1"])
        late.title = "d"
        early.day = Date(timeIntervalSinceReferenceDate: 0)
        try context.save()
        #expect(results.objects.map(\.name) == ["1", "0"])
        context.delete(late)
        other.shelf = shelves[2]
        #expect(shelves.map(\.latest) == [early, nil, other])
        let id = other.objectID
        #expect(
            try context.fetch(
                FetchRequest<Shelf>(predicate: #Predicate { $0.latest?.objectID == id })
            ).map(\.name) == ["2"])
        try context.checkIntegrity()
        try context.save()
        #expect(results.objects.map(\.name) == ["0", "2"])
        context.delete(shelves[2])
        try context.save()
        try context.checkIntegrity()
    }

    @Test func `a different maker counts once, and none does not count`() throws {
        let shelf = Shelf(context: context)
        let makers = (0..<2).map { _ in Maker(context: context) }
        let items = (0..<5).map { item("\($0)", on: shelf) }
        for (number, item) in items.dropFirst().enumerated() { item.maker = makers[number % 2] }
        #expect(shelf.makers == 2)
        #expect(makers[0].shelves == 1)
        context.delete(makers[0])
        #expect(shelf.makers == 1)
        try context.checkIntegrity()
    }

    @Test func `a derived attribute may follow from another`() throws {
        let (room, shelf, label) = (
            Room(context: context), Shelf(context: context), Label(context: context)
        )
        shelf.room = room
        shelf.labels.insert(label)
        let lamp = item("lamp", on: shelf, isLit: true)
        lamp.size = 7
        lamp.day = Date(timeIntervalSinceReferenceDate: 9)
        #expect(room.size == 7 && room.litShelves == 1 && label.litShelves == 1)
        #expect(room.lastDay == Date(timeIntervalSinceReferenceDate: 9))
        context.delete(shelf)
        #expect(room.size == 0 && room.litShelves == 0 && label.litShelves == 0)
        #expect(room.lastDay == nil)
        try context.checkIntegrity()
    }

    @Test func `a sum of integers beyond what fits stays at the bound until it fits again`() {
        let shelf = Shelf(context: context)
        let items = (0..<3).map { item("\($0)", on: shelf) }
        for item in items { item.size = .max }
        #expect(shelf.size == .max)
        items[0].size = .min
        items[1].size = 5
        #expect(shelf.size == 4)
        items[2].size = -9
        #expect(shelf.size == .min)
    }

    private final class Grid: ManagedObject {
        @Relationship var meters: ObjectSet<Meter>
        @Derived(sum: \Grid.meters, \Meter.pulses) var pulses: Int
        @Derived(sum: \Grid.meters, \Meter.lost) var lost: Int
    }

    private final class Meter: ManagedObject {
        @Attribute var pulses: UInt64 = 0
        @Attribute var lost: UInt?
        @Relationship(inverse: \Grid.meters) var grid: Grid?
    }

    @Test func `integers without a sign are summed up as those with one`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Grid.self, Meter.self]))
        let grid = Grid(context: context)
        let meters = (0..<3).map { _ in Meter(context: context) }
        for meter in meters { meter.grid = grid }
        #expect(grid.pulses == 0 && grid.lost == 0)
        (meters[0].pulses, meters[1].pulses, meters[1].lost) = (5, 1 << 40, 7)
        #expect(grid.pulses == 5 + (1 << 40) && grid.lost == 7)
        (meters[0].pulses, meters[2].pulses) = (.max, .max)
        #expect(grid.pulses == .max)
        try context.checkIntegrity()
        context.delete(meters[2])
        meters[0].pulses = 5
        meters[1].lost = nil
        #expect(grid.pulses == 5 + (1 << 40) && grid.lost == 0)
        meters[1].grid = nil
        #expect(grid.pulses == 5)
        try context.checkIntegrity()
    }

    @Test func `an owner whose derived value changed is among the updated objects`() throws {
        let shelf = Shelf(context: context)
        let member = item("a", on: shelf)
        try context.save()
        member.isLit = true
        #expect(context.updatedObjects == [shelf, member])
        member.isLit = false
        #expect(context.updatedObjects.isEmpty)
    }

    @Test func `derived attributes are fetched by and sorted by`() throws {
        let shelves = (0..<4).map { _ in Shelf(context: context) }
        for (number, shelf) in shelves.enumerated() {
            for title in 0..<number { _ = item("\(title)", on: shelf, isLit: number == 2) }
        }
        let lit = try context.fetch(FetchRequest<Shelf>(predicate: #Predicate { $0.isLit }))
        #expect(Array(lit) == [shelves[2]])
        let full = FetchRequest<Shelf>(
            predicate: #Predicate { $0.itemCount >= 2 },
            sortBy: [SortDescriptor(\.itemCount, order: .reverse)])
        #expect(Array(try context.fetch(full)) == [shelves[3], shelves[2]])
        let untitled = FetchRequest<Shelf>(predicate: #Predicate { $0.firstTitle == nil })
        #expect(Array(try context.fetch(untitled)) == [shelves[0]])
    }

    @Test func `what two contexts add to one owner is in its derived values after both saved`()
        throws
    {
        let shelf = Shelf(context: context)
        try context.save()
        let other = ManagedObjectContext(context.store)
        let same = try #require(try other.existingObject(with: shelf.objectID) as? Shelf)
        _ = item("a", on: shelf, isLit: true)
        let theirs = Item(context: other)
        theirs.shelf = same
        try context.save()
        try other.save()
        #expect(same.itemCount == 2 && same.litCount == 1)
        context.rollback()
        #expect(shelf.itemCount == 2)
        try other.checkIntegrity()
        try context.store.snapshot().checkIntegrity()
    }

    @Test func `rolling back brings derived values back`() throws {
        let shelf = Shelf(context: context)
        _ = item("a", on: shelf)
        try context.save()
        _ = item("b", on: shelf)
        #expect(shelf.itemCount == 2)
        context.rollback()
        #expect(shelf.itemCount == 1)
        try context.checkIntegrity()
    }

    @Test func `a deleted object's derived values are those of one without members`() throws {
        let shelf = Shelf(context: context)
        let member = item("a", on: shelf, isLit: true)
        try context.save()
        context.delete(shelf)
        #expect(shelf.itemCount == 0 && !shelf.isLit && shelf.firstTitle == nil && shelf.size == 0)
        #expect(member.isDeleted && member.shelf == nil)
        try context.save()
        #expect(shelf.itemCount == 0 && shelf.firstTitle == nil)
    }

    @Test func `a derived attribute needs no value of its own to be saved`() throws {
        let shelf = Shelf(context: context)
        #expect(shelf.validationFailures().isEmpty)
        try context.save()
        let empty = FetchRequest<Shelf>(predicate: #Predicate { $0.itemCount == 0 })
        #expect(Array(try context.fetch(empty)) == [shelf])
    }
}
