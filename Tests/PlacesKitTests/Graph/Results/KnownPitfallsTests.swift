import Foundation
import PlacesKit
import Testing

/// Where results controllers are known to go wrong.
@Suite struct KnownPitfallsTests {
    private typealias Photo = ResultsModel.Photo
    private let world: ResultsFixture

    init() throws {
        world = try ResultsFixture()
    }

    @Test func `a request without an order shows objects as they were inserted`() throws {
        for title in ["C", "A", "B"] { world.photo(title) }
        #expect(try world.watch(by: []).titles == "C A B")
    }

    @Test func `no value comes first going up, and last going down`() throws {
        let dates = [nil, Date(timeIntervalSinceReferenceDate: 2), Date(timeIntervalSince1970: 0)]
        for (title, date) in zip(["none", "late", "early"], dates) {
            world.photo(title).date = date
        }
        let up = try world.watch(by: [SortDescriptor(\.date)])
        let down = try world.watch(by: [SortDescriptor(\.date, order: .reverse)])
        #expect(up.titles == "none early late")
        #expect(down.titles == "late early none")
        world.photo("other")
        world.context.processPendingChanges()
        #expect(up.titles == "none other early late")
        #expect(down.titles == "late early none other")
    }

    @Test func `a child's save tells what the same changes in the parent would`() throws {
        let arch = world.photo("Arch")
        world.context.processPendingChanges()
        let log = try world.watch()
        let child = ManagedObjectContext(parent: world.context)
        let same = try #require(try child.existingObject(with: arch.objectID) as? Photo)
        same.title = "Cave"
        Photo(context: child).title = "Bay"
        try child.save()
        world.context.processPendingChanges()
        #expect(log.takeEvents() == [["insert 0/0", "update 0/1"]])
        #expect(log.titles == "Bay Cave")
    }

    @Test func `objects of another context count when they are merged, judged like others`() throws
    {
        let log = try world.watch(where: #Predicate { $0.views > 5 })
        let other = ManagedObjectContext(world.store)
        for views in 4..<8 { Photo(context: other).views = views }
        other.processPendingChanges()
        #expect(log.takeEvents() == [])
        try other.save(shownTo: world.context)
        #expect(log.takeEvents() == [["insert 0/0", "insert 0/1"]])
    }

    @Test func `clearing a relationship empties the list of its members`() throws {
        let nice = world.place("Nice")
        for title in ["A", "B", "C"] { world.photo(title, at: nice) }
        let id = nice.objectID
        let log = try world.watch(where: #Predicate { $0.takenAt?.objectID == id })
        #expect(log.titles == "A B C")
        for photo in Array(nice.photos) { nice.photos.remove(photo) }
        world.context.processPendingChanges()
        #expect(log.takeEvents() == [["delete 0/0", "delete 0/1", "delete 0/2"]])
        world.photo("D", at: nice)
        world.context.processPendingChanges()
        world.context.delete(nice)
        world.context.processPendingChanges()
        #expect(log.takeEvents() == [["insert 0/0"], ["delete 0/0"]])
    }

    @Test func `objects whose related objects go in a batch with others are each told once`() throws
    {
        let places = (0..<3).map { world.place("\($0)", in: "C") }
        for (number, place) in places.enumerated() { world.photo("\(number)", at: place) }
        let log = try world.watchCountries()
        for place in places { world.context.delete(place) }
        _ = world.place("new", in: "C")
        world.context.processPendingChanges()
        #expect(log.mismatches == [])
        #expect(log.titles == "0 1 2")
        #expect(log.changes.first?.difference.itemMoves.count == 3)
    }

    @Test func `taking the delegate away while it is told is safe`() throws {
        final class Leaving: FetchedResultsControllerDelegate {
            var calls = 0

            func controllerWillChangeContent(_ controller: FetchedResultsController<Photo>) {
                calls += 1
                controller.delegate = nil
                controller.onChange = nil
            }
        }
        let results = try world.watch().results
        let delegate = Leaving()
        results.delegate = delegate
        for title in ["A", "B"] {
            world.photo(title)
            world.context.processPendingChanges()
        }
        #expect(delegate.calls == 1)
        #expect(results.objects.map(\.title) == ["A", "B"])
    }

    @Test func `a section counts what has just come into it`() throws {
        let nice = world.place("Nice", in: "France")
        world.photo("A", at: nice)
        let results = try world.watchCountries().results
        world.photo("B", at: nice)
        world.context.processPendingChanges()
        #expect(results.sections[0].objects.count == 2)
        #expect(results.sections[0].objects.map(\.title) == ["A", "B"])
    }

    @Test func `a window never grows, whatever comes`() throws {
        let log = try world.watch(limit: 2)
        for title in ["E", "D", "C", "B", "A"] {
            world.photo(title)
            world.context.processPendingChanges()
            #expect(log.results.objects.count <= 2)
        }
        #expect(log.titles == "A B")
        #expect(log.mismatches == [])
    }
}
