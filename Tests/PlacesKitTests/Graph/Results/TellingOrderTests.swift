import Foundation
import Observation
import PlacesKit
import PlacesKitTesting
import Testing

/// Changes that are made while others are told reach everybody in the order in which they happened.
@Suite struct TellingOrderTests {
    private typealias Photo = ResultsModel.Photo
    private let world: ResultsFixture

    init() throws {
        world = try ResultsFixture()
    }

    /// Photos that expire, and a time that is set by hand.
    private struct Expiring {
        let time = TestTime()
        let context: ManagedObjectContext

        init() throws {
            context = ManagedObjectContext(try time.store())
        }

        func photo(_ title: String, for seconds: Double) {
            let photo = TimedModel.Photo(context: context)
            photo.title = title
            photo.expires = time.now + seconds
        }

        func watch() throws -> FetchedResultsController<TimedModel.Photo> {
            try FetchedResultsController(
                TimedModel.Request(sortBy: [SortDescriptor(\.title)]) { now in
                    let past = Date.distantPast
                    return #Predicate { ($0.expires ?? past) > now }
                }, in: context)
        }

        func pass(_ seconds: Double) {
            time.now += seconds
            context.processPendingChanges()
        }
    }

    /// Runs what it is given before a controller changes, once.
    private final class Intruder: FetchedResultsControllerDelegate {
        typealias Object = TimedModel.Photo
        var body: (() -> Void)?

        func controllerWillChangeContent(_ controller: FetchedResultsController<Object>) {
            let body = body
            self.body = nil
            body?()
        }
    }

    /// What an observation does, on the thread that changes objects, which is that of the test.
    private struct Reaction: @unchecked Sendable {
        let body: () -> Void
    }

    // MARK: - Expiry

    @Test func `what an expiry leads to is told after the expiry`() async throws {
        let world = try Expiring()
        world.photo("A", for: 10)
        world.photo("B", for: 20)
        let results = try world.watch()
        let start = results.snapshot
        var consumer = results.changes.makeAsyncIterator()
        results.onChange = { [unowned results] _ in
            guard let photo = results.objects.first else { return }
            results.context.delete(photo)
            try? results.context.save()
        }
        world.pass(15)
        let change = try #require(await consumer.next())
        #expect(change.before == start)
        #expect(change.after.identifiers.count == 0)
        #expect(change.before.applying(change.difference) == change.after)
    }

    @Test func `what happens in the middle of an expiry is not lost`() throws {
        let world = try Expiring()
        world.photo("A", for: 10)
        let results = try world.watch()
        var recorder = ResultsRecorder(results.snapshot)
        var findings: [String] = []
        results.onChange = { change in
            do throws(ResultsMismatch) {
                try recorder.replay(change)
            } catch {
                findings.append(error.description)
            }
        }
        let intruder = Intruder()
        results.delegate = intruder
        intruder.body = {
            world.photo("B", for: 100)
            world.context.processPendingChanges()
        }
        world.pass(15)
        #expect(results.objects.map(\.title) == ["B"])
        intruder.body = { try? results.setRequest(TimedModel.Request()) }
        world.pass(100)
        #expect(results.objects.count == 2)
        #expect(findings == [])
    }

    // MARK: - Others

    @Test func `a request asked while being told comes after what was told`() async throws {
        world.photo("A")
        let log = try world.watch()
        let start = log.results.snapshot
        var consumer = log.results.changes.makeAsyncIterator()
        let replay = log.results.onChange
        log.results.onChange = { [unowned log] change in
            replay?(change)
            guard log.results.request.limit == nil else { return }
            var request = log.results.request
            request.limit = 1
            try? log.results.setRequest(request)
        }
        world.photo("0")
        world.context.processPendingChanges()
        #expect(log.titles == "0")
        #expect(log.mismatches == [])
        let change = try #require(await consumer.next())
        #expect(change.before == start)
        #expect(change.after == log.results.snapshot)
    }

    @Test func `what an observer of an object changes is told after what it observed`() throws {
        let context = world.context
        context.isObservable = true
        context.isUndoEnabled = true
        let photo = world.photo("A")
        try context.save()
        photo.title = "C"
        try context.save()
        let log = try world.watch()
        let reaction = Reaction { [world] in
            world.photo("B")
            try? world.context.save()
        }
        withObservationTracking {
            _ = photo.title
        } onChange: {
            reaction.body()
        }
        context.undo()
        context.processPendingChanges()
        #expect(log.titles == "A B")
        #expect(log.takeEvents() == [["update 0/0"], ["insert 0/1"]])
        #expect(log.mismatches == [])
    }

    // MARK: - Silence

    @Test func `what waits for a consumer leads to the present after a change told to nobody`()
        async throws
    {
        let photo = world.photo("B")
        let log = try world.watch()
        let start = log.results.snapshot
        var consumer = log.results.changes.makeAsyncIterator()
        photo.views = 1
        world.context.processPendingChanges()
        log.results.withoutTelling { _ = world.photo("A") }
        photo.views = 2
        world.context.processPendingChanges()
        let change = try #require(await consumer.next())
        #expect(change.before == start)
        #expect(change.after == log.results.snapshot)
        #expect(change.before.applying(change.difference) == change.after)
    }

    @Test func `what others save is told where own changes are not`() throws {
        let photo = world.photo("A")
        try world.context.save()
        let other = ManagedObjectContext(world.store)
        Photo(context: other).title = "B"
        try other.save()
        let log = try world.watch()
        log.results.withoutTelling {
            photo.title = "C"
            try? world.context.save()
        }
        #expect(log.titles == "B C")
        #expect(log.takeEvents() == [["insert 0/0"]])
    }

    @Test func `what a listener changes in answer is told where own changes are not`() throws {
        let arch = world.photo("Arch", views: 1)
        let bay = world.photo("Bay", views: 2)
        let log = try world.watch(by: [SortDescriptor(\.views)])
        let subscription = world.context.onChange { [world] _ in
            guard bay.title == "Bay" else { return }
            bay.title = "Beach"
            world.context.processPendingChanges()
        }
        defer { subscription.cancel() }
        log.results.withoutTelling { arch.views = 3 }
        #expect(log.titles == "Beach Arch")
        #expect(log.takeEvents() == [["update 0/0"]])
    }

    /// A listener is not the body that is kept silent, and a body of its own hides nothing.
    @Test(arguments: [false, true])
    func `a request that a listener asks for is told where own changes are not`(
        isSilentItself: Bool
    ) throws {
        let arch = world.photo("Arch", views: 1)
        world.photo("Bay", views: 2)
        let log = try world.watch(by: [SortDescriptor(\.views)])
        let results = log.results
        let request = FetchRequest<Photo>(predicate: #Predicate { $0.title == "Arch" })
        var hasAsked = false
        let subscription = world.context.onChange { _ in
            guard !hasAsked else { return }
            hasAsked = true
            if isSilentItself {
                results.withoutTelling { try? results.setRequest(request) }
            } else {
                try? results.setRequest(request)
            }
        }
        defer { subscription.cancel() }
        if isSilentItself {
            arch.views = 3
            world.context.processPendingChanges()
            #expect(log.takeEvents() == [["move 0/0 to 0/1"], ["delete 0/0"]])
        } else {
            results.withoutTelling { arch.views = 3 }
            #expect(log.takeEvents() == [["delete 0/0"]])
        }
        #expect(log.titles == "Arch")
    }

    @Test func `what expires is told where own changes are not`() throws {
        let world = try Expiring()
        world.photo("A", for: 10)
        world.photo("B", for: 100)
        let results = try world.watch()
        var changes: [ResultsChange<ObjectID>] = []
        results.onChange = { changes.append($0) }
        results.withoutTelling {
            world.photo("C", for: 100)
            world.time.now += 20
        }
        #expect(results.objects.map(\.title) == ["B", "C"])
        #expect(changes.map(\.difference.itemDeletes.count) == [1])
        #expect(changes.map(\.difference.itemInserts.count) == [0])
    }
}
