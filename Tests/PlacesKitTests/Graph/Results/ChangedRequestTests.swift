import Foundation
import PlacesKit
import Testing

/// A controller that is asked something else after changes that did not concern what it asked before.
@Suite struct ChangedRequestTests {
    private typealias Photo = ResultsModel.Photo
    private let world: ResultsFixture

    init() throws {
        world = try ResultsFixture()
    }

    private let byTitle = [SortDescriptor(\Photo.title)]

    private func titled(_ title: String) -> FetchRequest<Photo> {
        FetchRequest(predicate: #Predicate { $0.title == title }, sortBy: byTitle)
    }

    @Test func `another request shows what came before it was asked`() throws {
        let log = try world.watch(where: #Predicate { $0.title == "A" })
        world.photo("C")
        try world.context.save()
        try log.results.setRequest(titled("C"))
        #expect(log.titles == "C")
        #expect(log.takeEvents() == [["insert 0/0"]])
        #expect(log.mismatches == [])
    }

    @Test func `what no longer matches another request is not there, and not twice when it does`()
        throws
    {
        world.photo("A")
        let photo = world.photo("C")
        let log = try world.watch(where: #Predicate { $0.title == "A" })
        photo.title = "E"
        world.context.processPendingChanges()
        try log.results.setRequest(titled("C"))
        #expect(log.titles == "")
        photo.title = "C"
        world.context.processPendingChanges()
        #expect(log.titles == "C")
        #expect(log.mismatches == [])
    }

    @Test func `a request that begins to look through a relationship sees what changed there`()
        throws
    {
        let place = world.place("Nice")
        world.photo("A", at: place)
        let log = try world.watch()
        place.name = "Rome"
        world.context.processPendingChanges()
        try log.results.setRequest(
            FetchRequest(predicate: #Predicate { $0.takenAt?.name == "Rome" }, sortBy: byTitle))
        #expect(log.titles == "A")
        #expect(log.takeEvents() == [])
        place.name = "Nice"
        world.context.processPendingChanges()
        #expect(log.titles == "")
        #expect(log.mismatches == [])
    }

    @Test func `another request in a pause shows the present, and what comes later later`() throws {
        let kept = world.photo("A", views: 1)
        let log = try world.watch(where: #Predicate { $0.title == "A" })
        log.results.isPaused = true
        kept.views = 2
        world.photo("C")
        world.context.processPendingChanges()
        try log.results.setRequest(FetchRequest(sortBy: byTitle))
        #expect(log.titles == "A C")
        #expect(log.takeEvents() == [["insert 0/1", "update 0/0"]])
        world.photo("D")
        world.context.processPendingChanges()
        #expect(log.titles == "A C")
        log.results.isPaused = false
        #expect(log.titles == "A C D")
        #expect(log.takeEvents() == [["insert 0/2"]])
        #expect(log.mismatches == [])
    }

    @Test func `a controller that is asked something else by another misses no change`() throws {
        let place = world.place("Nice")
        world.photo("A", at: place)
        let (first, second) = (try world.watch(), try world.watch())
        let request = FetchRequest<Photo>(
            predicate: #Predicate { $0.takenAt?.name == "Rome" }, sortBy: byTitle)
        first.results.onChange = { _ in try? second.results.setRequest(request) }
        place.name = "Rome"
        world.photo("B")
        world.context.processPendingChanges()
        #expect(second.titles == "A")
        place.name = "Nice"
        world.context.processPendingChanges()
        #expect(second.titles == "")
        #expect(second.mismatches == [])
    }

    @Test func `a request that looks at the time knows the dates as they are when it is asked`()
        throws
    {
        let time = TestTime()
        let context = ManagedObjectContext(try time.store())
        let (first, second) = (
            TimedModel.Photo(context: context), TimedModel.Photo(context: context)
        )
        first.expires = time.now + 10
        second.expires = time.now + 250
        let results = try FetchedResultsController(TimedModel.Request(), in: context)
        results.isPaused = true
        first.expires = time.now + 150
        context.processPendingChanges()
        try results.setRequest(
            TimedModel.Request { now in
                let past = Date.distantPast
                return #Predicate { ($0.expires ?? past) > now }
            })
        results.isPaused = false
        #expect(results.nextChange == time.now + 150)
        context.delete(first)
        context.processPendingChanges()
        #expect(results.nextChange == time.now + 250)
    }
}
