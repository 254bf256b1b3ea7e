import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// How changes reach those who listen.
@Suite struct ControllerDeliveryTests {
    private let world: ResultsFixture

    init() throws {
        world = try ResultsFixture()
    }

    @Test func `what happens while a consumer is busy is one change that begins where he is`()
        async throws
    {
        var log: ControllerLog? = try world.watch()
        var early = try #require(log?.results.changes.makeAsyncIterator())
        var late = try #require(log?.results.changes.makeAsyncIterator())
        let start = try #require(log?.results.snapshot)
        var recorder = ResultsRecorder(start)
        for title in ["Cave", "Bay", "Arch"] {
            world.photo(title)
            world.context.processPendingChanges()
            try recorder.replay(try #require(await early.next()))
        }
        let bay = try #require(log?.results.objects[1])
        bay.views = 1
        world.context.processPendingChanges()
        bay.title = "Dome"
        world.context.processPendingChanges()
        log = nil
        let last = try #require(await early.next())
        try recorder.replay(last)
        #expect(last.difference.itemMoves.map(\.properties) == [["views", "title"]])
        #expect(await early.next() == nil)

        var lateRecorder = ResultsRecorder(start)
        let change = try #require(await late.next())
        try lateRecorder.replay(change)
        #expect(change.difference.itemInserts.count == 3)
        #expect(change.difference.itemEventCount == 3)
        #expect(lateRecorder.sections == recorder.sections)
        #expect(await late.next() == nil)
    }

    /// Asks for changes before a controller changes, once.
    private final class Early: FetchedResultsControllerDelegate {
        var changes: ChangeStream<ResultsChange<ObjectID>>?

        func controllerWillChangeContent(
            _ controller: FetchedResultsController<ResultsModel.Photo>
        ) {
            if changes == nil { changes = controller.changes }
        }
    }

    @Test func `a sequence asked for in a callback begins with what is shown there`() async throws {
        var results: FetchedResultsController? = try FetchedResultsController(
            FetchRequest<ResultsModel.Photo>(), in: world.context)
        let early = Early()
        var late: ChangeStream<ResultsChange<ObjectID>>?
        results?.delegate = early
        results?.onChange = { [weak results] _ in late = late ?? results?.changes }
        for title in ["Arch", "Bay"] {
            world.photo(title)
            world.context.processPendingChanges()
        }
        results = nil
        for (changes, start) in [(early.changes, 0), (late, 1)] {
            var consumer = try #require(changes).makeAsyncIterator()
            let change = try #require(await consumer.next())
            #expect(change.before.identifiers.count == start && change.after.identifiers.count == 2)
            #expect(change.difference.itemInserts.count == 2 - start)
            #expect(await consumer.next() == nil)
        }
    }

    @Test func `what came to nothing while a consumer was busy is not told to him`() async throws {
        var log: ControllerLog? = try world.watch()
        var changes = try #require(log?.results.changes.makeAsyncIterator())
        let photo = world.photo("Arch")
        world.context.processPendingChanges()
        world.context.delete(photo)
        world.context.processPendingChanges()
        log = nil
        #expect(await changes.next() == nil)
    }

    /// What a consumer is told who is busy while all of some steps are processed.
    private func joined(
        _ log: ControllerLog, _ steps: (() throws -> Void)...
    ) throws -> ResultsDifference<ObjectID> {
        for step in steps {
            try step()
            world.context.processPendingChanges()
        }
        let first = try #require(log.changes.first)
        return log.changes.dropFirst().reduce(first) { $0.followed(by: $1) }.difference
    }

    @Test func `what changes of an item while it is away is told when it is back`() throws {
        world.photo("Arch")
        let (bay, cave) = (world.photo("Bay"), world.photo("Cave"))
        func told(_ difference: ResultsDifference<ObjectID>) -> [Set<String>] {
            #expect(difference.itemEventCount == difference.itemUpdates.count)
            return difference.itemUpdates.map(\.properties)
        }
        let unloved = try joined(
            try world.watch(where: #Predicate { !$0.isFavorite }),
            { bay.isFavorite = true }, { bay.views += 1 }, { bay.isFavorite = false })
        #expect(told(unloved) == [["isFavorite", "views"]])
        let aside: [() throws -> Void] = [
            { cave.title = "0" }, { bay.views += 1 }, { cave.title = "Cave" },
        ]
        for order in [SortDescriptor(\ResultsModel.Photo.title), SortDescriptor(\.initial)] {
            let log = try world.watch(by: [order], limit: 2)
            #expect(told(try joined(log, aside[0], aside[1], aside[2])) == [["views"]])
            let idle = try world.watch(by: [order], limit: 2)
            #expect(try joined(idle, aside[0], aside[2]).isEmpty)
        }
        let log = try world.watch()
        let request = log.results.request
        var others = request
        others.predicate = #Predicate { $0.title != "Bay" }
        let asked = try joined(
            log, { try log.results.setRequest(others) }, { bay.views += 1 },
            { try log.results.setRequest(request) })
        #expect(told(asked) == [["views"]])
    }

    @Test func `what changes of an object of its class is told of an item that was away`() throws {
        let context = ManagedObjectContext(try TownModel.store())
        let (ward, guardian) = (context.citizen("Ann"), context.citizen("Bo"))
        ward.guardian = guardian
        context.processPendingChanges()
        let results = try FetchedResultsController(
            FetchRequest<Citizen>(
                predicate: #Predicate { $0.age < 100 }, sortBy: [SortDescriptor(\.guardian?.name)]),
            in: context)
        var changes: [ResultsChange<ObjectID>] = []
        results.onChange = { changes.append($0) }
        let steps = [
            { ward.age = 200 }, { guardian.name = "Cy" }, { ward.age = 30 },
        ]
        for step in steps {
            step()
            context.processPendingChanges()
        }
        let first = try #require(changes.first)
        let joined = changes.dropFirst().reduce(first) { $0.followed(by: $1) }
        #expect(Set(joined.reloadedIdentifiers) == [ward.objectID, guardian.objectID])
    }

    @Test func `a controller that nobody keeps is told nothing more`() throws {
        var count = 0
        var results: FetchedResultsController? = try FetchedResultsController(
            FetchRequest<ResultsModel.Photo>(), in: world.context)
        results?.onChange = { _ in count += 1 }
        world.photo("Arch")
        world.context.processPendingChanges()
        weak let dropped = results
        results = nil
        world.photo("Bay")
        world.context.processPendingChanges()
        #expect(dropped == nil)
        #expect(count == 1)
    }

    @Test func `a change shows the results as they were and as they are`() throws {
        let log = try world.watch()
        world.photo("Arch")
        world.context.processPendingChanges()
        #expect(log.changes.first?.before.identifiers.count == 0)
        #expect(log.changes.first?.after == log.results.snapshot)
    }

    @Test func `writing while being told is told in order to everybody`() async throws {
        let (first, second) = (try world.watch(), try world.watch())
        var third: ControllerLog? = try world.watch()
        let stream = try #require(third?.results.changes)
        let writer = try FetchedResultsController(
            FetchRequest<ResultsModel.Photo>(), in: world.context)
        let replay = first.results.onChange
        first.results.onChange = { [world] change in
            replay?(change)
            guard change.after.identifiers.count < 4 else { return }
            world.photo("\(change.after.identifiers.count)")
            world.context.processPendingChanges()
        }
        world.photo("0")
        world.context.processPendingChanges()
        #expect(first.mismatches == [])
        #expect(second.mismatches == [])
        #expect(first.titles == "0 1 2 3")
        #expect(second.titles == "0 1 2 3")
        #expect(writer.snapshot.identifiers.count == 4)
        let events = (0..<4).map { ["insert 0/\($0)"] }
        #expect(first.takeEvents() == events)
        #expect(second.takeEvents() == events)
        third = nil
        var counts: [Int] = []
        for await change in stream { counts.append(change.after.identifiers.count) }
        #expect(counts == [4])
    }

    @Test func `saving and rolling back while being told is legal`() throws {
        let (first, second) = (try world.watch(), try world.watch())
        let replay = first.results.onChange
        first.results.onChange = { [world, unowned first] change in
            replay?(change)
            switch first.changes.count {
            case 1:
                try? world.context.save()
                world.photo("kept")
                world.context.processPendingChanges()
            case 2: world.context.rollback()
            default: #expect(change.after.identifiers.count == 1)
            }
        }
        world.photo("saved")
        world.context.processPendingChanges()
        for log in [first, second] {
            #expect(log.mismatches == [])
            #expect(log.titles == log.results.objects.map(\.title).joined(separator: " "))
            #expect(log.results.objects.count == (try world.context.count(ResultsModel.Photo.self)))
        }
    }

    @Test func `a controller made while others are told hears only of what comes later`() throws {
        let first = try world.watch()
        var late: ControllerLog?
        first.results.onChange = { [world] _ in
            guard late == nil else { return }
            world.photo("Bay")
            late = try? world.watch()
            #expect(late?.titles == "Arch Bay")
        }
        world.photo("Arch")
        world.context.processPendingChanges()
        #expect(late?.takeEvents() == [])
        world.photo("Cave")
        world.context.processPendingChanges()
        #expect(late?.takeEvents() == [["insert 0/2"]])
        #expect(late?.mismatches == [])
    }
}
