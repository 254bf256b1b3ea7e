import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@Suite struct FetchedResultsControllerTests {
    private typealias Photo = ResultsModel.Photo
    private let world: ResultsFixture

    init() throws {
        world = try ResultsFixture()
    }

    // MARK: - Reading

    @Test func `results without sections are one section, also when there are none`() throws {
        let log = try world.watch()
        #expect(log.results.snapshot.sections.map(\.name) == [""])
        world.photo("Arch")
        world.context.processPendingChanges()
        #expect(log.takeEvents() == [["insert 0/0"]])
    }

    @Test func `positions and objects are inverses`() throws {
        let (rome, nice) = (world.place("Rome", in: "Italy"), world.place("Nice", in: "France"))
        let bay = world.photo("Bay", at: nice)
        world.photo("Arch", at: nice)
        let forum = world.photo("Forum", at: rome)
        let log = try world.watchCountries()
        #expect(log.titles == "France: Arch Bay, Italy: Forum")
        #expect(log.results.position(of: bay) == ItemPosition(section: 0, item: 1))
        #expect(log.results.object(at: ItemPosition(section: 1, item: 0)) === forum)
        #expect(log.results.object(at: ItemPosition(section: 1, item: 1)) == nil)
        #expect(log.results.object(at: ItemPosition(section: -1, item: 0)) == nil)
        world.context.delete(forum)
        world.context.processPendingChanges()
        #expect(log.results.position(of: forum) == nil)
    }

    @Test func `objects of a section that are not neighbours in the order are gathered`() throws {
        let (rome, nice) = (world.place("Rome", in: "Italy"), world.place("Nice", in: "France"))
        world.photo("Arch", at: nice)
        world.photo("Bay", at: rome)
        world.photo("Cave", at: nice)
        world.photo("Dome")
        let log = ControllerLog(
            try FetchedResultsController(
                FetchRequest(sortBy: [SortDescriptor(\Photo.title)]),
                sectionBy: \.takenAt?.country, in: world.context))
        #expect(log.titles == "France: Arch Cave, Italy: Bay, Dome")
    }

    @Test func `a relationship itself makes sections of the objects that share it`() throws {
        let (rome, nice) = (world.place("Rome"), world.place("Nice"))
        world.photo("Arch", at: nice)
        world.photo("Bay", at: rome)
        world.photo("Cave", at: nice)
        let results = try FetchedResultsController(
            FetchRequest(sortBy: [SortDescriptor(\Photo.title)]), sectionBy: \.takenAt,
            in: world.context)
        #expect(results.snapshot.sections.map(\.range.count) == [2, 1])
    }

    @Test func `an offset behind the last match gives no results, and no error`() throws {
        world.photo("Arch")
        let log = try world.watch(offset: 5)
        #expect(log.results.objects.isEmpty)
    }

    // MARK: - What is no change

    @Test func `without a change nothing is told`() throws {
        world.photo("Arch")
        try world.context.save()
        let log = try world.watch()
        world.context.processPendingChanges()
        try world.context.save()
        world.context.rollback()
        world.context.refreshAllObjects()
        #expect(log.takeEvents() == [])
    }

    @Test func `changes of another entity are not told`() throws {
        let place = world.place("Rome")
        world.photo("Arch", at: place)
        let log = try world.watch()
        place.name = "Roma"
        _ = world.place("Nice")
        world.context.processPendingChanges()
        #expect(log.takeEvents() == [])
    }

    @Test func `an equal value and a value put back are not told`() throws {
        let photo = world.photo("Arch", views: 3)
        let log = try world.watch()
        photo.views = 3
        photo.title = "Bay"
        photo.title = "Arch"
        world.context.processPendingChanges()
        #expect(log.takeEvents() == [])
    }

    @Test func `a member that came and went within a batch is not told`() throws {
        let place = world.place("Rome")
        let photo = world.photo("Arch")
        try world.context.save()
        var changes = 0
        let places = try FetchedResultsController(
            FetchRequest<ResultsModel.Place>(), in: world.context)
        places.onChange = { _ in changes += 1 }
        photo.takenAt = place
        photo.takenAt = nil
        world.context.processPendingChanges()
        #expect(changes == 0)
    }

    @Test func `an object inserted and deleted in one batch is not told`() throws {
        let log = try world.watch()
        world.context.delete(world.photo("Arch"))
        world.context.processPendingChanges()
        #expect(log.takeEvents() == [])
    }

    @Test func `what never matched and does not match now is not told`() throws {
        let photo = world.photo("Arch", views: 1)
        let log = try world.watch(where: #Predicate { $0.views > 5 })
        photo.views = 2
        photo.title = "Bay"
        world.photo("Cave")
        world.context.processPendingChanges()
        world.context.delete(photo)
        try world.context.save()
        #expect(log.takeEvents() == [])
    }

    @Test func `a save after the changes were processed tells nothing again`() throws {
        let log = try world.watch()
        world.photo("Arch")
        world.context.processPendingChanges()
        try world.context.save()
        #expect(log.takeEvents() == [["insert 0/0"]])
    }

    @Test func `changes rolled back before anybody was told are not told`() throws {
        let photo = world.photo("Arch")
        try world.context.save()
        let log = try world.watch()
        photo.title = "Bay"
        world.photo("Cave")
        world.context.rollback()
        #expect(log.takeEvents() == [])
    }

    @Test func `a rollback is told from what was told, not from what was pending`() throws {
        let arch = world.photo("Arch")
        world.photo("Bay")
        try world.context.save()
        let log = try world.watch()
        arch.title = "Cave"
        world.context.processPendingChanges()
        arch.title = "Arch"
        world.context.rollback()
        #expect(log.takeEvents() == [["move 0/0 to 0/1"], ["move 0/1 to 0/0"]])
        #expect(log.titles == "Arch Bay")
    }

    // MARK: - Kinds of change

    @Test func `a value that is no sort key is an update in place`() throws {
        world.photo("Arch")
        let bay = world.photo("Bay")
        let log = try world.watch()
        bay.views = 1
        world.context.processPendingChanges()
        #expect(log.takeEvents() == [["update 0/1"]])
    }

    @Test func `a sort key that leaves the position is an update, else a move`() throws {
        let one = world.photo("one", views: 100)
        world.photo("two", views: 500)
        let log = try world.watch(by: [SortDescriptor(\.views)])
        one.views = 200
        world.context.processPendingChanges()
        one.views = 800
        world.context.processPendingChanges()
        world.context.delete(one)
        world.context.processPendingChanges()
        #expect(log.takeEvents() == [["update 0/0"], ["move 0/0 to 0/1"], ["delete 0/1"]])
    }

    @Test func `an object leaves and enters the predicate`() throws {
        world.photo("Arch", views: 9)
        let bay = world.photo("Bay", views: 9)
        let log = try world.watch(where: #Predicate { $0.views > 5 })
        bay.views = 1
        world.context.processPendingChanges()
        #expect(log.results.position(of: bay) == nil)
        bay.views = 7
        world.context.processPendingChanges()
        #expect(log.takeEvents() == [["delete 0/1"], ["insert 0/1"]])
    }

    @Test func `a change of section is one move, and sections come and go with it`() throws {
        let (rome, nice) = (world.place("Rome", in: "Italy"), world.place("Nice", in: "France"))
        world.photo("Arch", at: nice)
        let bay = world.photo("Bay", at: nice)
        let cave = world.photo("Cave", at: rome)
        let log = try world.watchCountries()
        bay.takenAt = rome
        world.context.processPendingChanges()
        #expect(log.takeEvents() == [["move 0/1 to 1/0"]])
        bay.takenAt = nil
        cave.takenAt = nil
        world.context.processPendingChanges()
        #expect(log.titles == "Bay Cave, France: Arch")
        #expect(
            log.takeEvents() == [
                [
                    "delete section 1 Italy", "insert section 0 ",
                    "move 1/0 to 0/0", "move 1/1 to 0/1",
                ]
            ])
    }

    @Test func `a change of a related object moves what is sorted and sectioned by it`() throws {
        let (rome, nice) = (world.place("Rome", in: "Italy"), world.place("Nice", in: "France"))
        world.photo("Arch", at: nice)
        world.photo("Bay", at: rome)
        let log = try world.watchCountries()
        nice.country = "Monaco"
        world.context.processPendingChanges()
        #expect(log.titles == "Italy: Bay, Monaco: Arch")
        nice.name = "Nizza"
        world.context.processPendingChanges()
        #expect(
            log.takeEvents() == [
                ["move section 0 to 1 Monaco", "rename section 1 France Monaco", "update 1/0"]
            ])
    }

    @Test func `deleting a related object tells of all that were linked to it`() throws {
        let rome = world.place("Rome", in: "Italy")
        for number in 0..<5 { world.photo("\(number)", at: rome) }
        let log = try world.watch()
        world.context.delete(rome)
        world.context.processPendingChanges()
        #expect(log.takeEvents() == [(0..<5).map { "update 0/\($0)" }])
    }

    @Test func `a window slides exactly`() throws {
        for title in ["B", "C", "D", "E", "F"] { world.photo(title) }
        let log = try world.watch(limit: 2, offset: 1)
        #expect(log.titles == "C D")
        world.photo("A")
        world.context.processPendingChanges()
        #expect(log.titles == "B C")
        world.context.delete(log.results.objects[1])
        world.context.processPendingChanges()
        #expect(log.titles == "B D")
        world.photo("Z")
        world.context.processPendingChanges()
        #expect(
            log.takeEvents() == [["delete 0/1", "insert 0/0"], ["delete 0/1", "insert 0/1"]])
    }

    @Test func `many edits in one batch are one change with an event each`() throws {
        let photos = (0..<6).map { world.photo("\($0)") }
        let log = try world.watch()
        world.context.delete(photos[0])
        photos[1].views = 1
        photos[2].views = 1
        photos[3].title = "9"
        world.photo("45")
        world.photo("8")
        world.context.processPendingChanges()
        #expect(
            log.takeEvents() == [
                [
                    "delete 0/0", "insert 0/3", "insert 0/5", "move 0/3 to 0/6", "update 0/0",
                    "update 0/1",
                ]
            ])
        #expect(log.mismatches == [])
    }

    @Test func `what another context saved is told when it is merged, in one change`() throws {
        let arch = world.photo("Arch")
        try world.context.save()
        let log = try world.watch()
        let other = ManagedObjectContext(world.store)
        for title in ["Bay", "Cave"] { Photo(context: other).title = title }
        let same = try #require(try other.existingObject(with: arch.objectID) as? Photo)
        same.title = "Dome"
        try other.save()
        #expect(log.takeEvents() == [])
        world.context.refreshAllObjects()
        #expect(log.takeEvents() == [["insert 0/0", "insert 0/1", "update 0/2"]])
        #expect(log.titles == "Bay Cave Dome")
    }

    @Test func `objects that are equal under the order keep it`() throws {
        let photos = (0..<5).map { world.photo("\($0)", views: 1) }
        let log = try world.watch(by: [SortDescriptor(\.views)])
        photos[1].views = 2
        world.context.processPendingChanges()
        photos[1].views = 1
        world.context.processPendingChanges()
        #expect(log.titles == "0 1 2 3 4")
    }
}
