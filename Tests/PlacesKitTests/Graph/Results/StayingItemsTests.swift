import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Which of several objects moves when one passes another.
@Suite struct StayingItemsTests {
    @Test func `an object of which only a counter changed stays where another one passes it`()
        throws
    {
        let world = try ResultsFixture()
        let place = world.place("Paris")
        let first = world.photo("A", at: place)
        for title in ["B", "C"] { world.photo(title, at: place) }
        var request = FetchRequest<ResultsModel.Photo>(sortBy: [SortDescriptor(\.title)])
        request.format = try PredicateFormat("takenAt.photos.@count > 2")
        let log = ControllerLog(try FetchedResultsController(request, in: world.context))
        world.photo("Z", at: place)
        first.title = "D"
        world.context.processPendingChanges()
        #expect(log.titles == "B C D Z")
        #expect(log.takeEvents() == [["insert 0/3", "move 0/0 to 0/2"]])
        // Both of these pass the two others, of which neither is told.
        let second = try #require(log.results.objects.first)
        second.title = "X"
        first.title = "A"
        world.photo("W", at: place)
        world.context.processPendingChanges()
        #expect(log.titles == "A C W X Z")
        #expect(log.takeEvents() == [["insert 0/2", "move 0/0 to 0/3", "move 0/2 to 0/0"]])
        #expect(log.mismatches == [])
    }

    @Test func `an object for which only time passes stays where another one passes it`() throws {
        let time = TestTime()
        let context = ManagedObjectContext(try time.store())
        let photos = ["a", "b"].map { title in
            let photo = TimedModel.Photo(context: context)
            photo.title = title
            photo.isFavorite = true
            return photo
        }
        photos[1].lastViewed = time.now
        var request = FetchRequest<TimedModel.Photo>(sortBy: [SortDescriptor(\.title)])
        request.format = try PredicateFormat("isFavorite == YES OR lastViewed > now() - 5")
        let results = try FetchedResultsController(request, in: context)
        var moved: [ObjectID] = []
        results.onChange = { moved += $0.difference.itemMoves.map(\.identifier) }
        time.now += 10
        photos[0].title = "c"
        context.processPendingChanges()
        #expect(results.objects.map(\.title) == ["b", "c"])
        #expect(moved == [photos[0].objectID])
    }
}
