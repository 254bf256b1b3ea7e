import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph

/// Which controllers a change is told to.
@Suite struct RoutingTests {
    private typealias Photo = ResultsModel.Photo
    private let world: ResultsFixture

    init() throws {
        world = try ResultsFixture()
    }

    private func selector(_ predicate: Predicate<Photo>) throws -> (RouteSelector, Set<Datum>)? {
        let graph = world.context.transaction.graph
        let condition = try GraphReading(world.context).condition(
            of: FetchRequest(predicate: predicate))
        return RouteSelector.find(in: condition, of: 0, graph.layout).map { ($0, $1) }
    }

    @Test func `a predicate that asks for a value is found by it`() throws {
        let place = world.place("Nice")
        let id = place.objectID
        #expect(try selector(#Predicate { $0.title == "A" && $0.views > 3 })?.1 == [.string("A")])
        #expect(try selector(#Predicate { $0.views == 3 })?.1 == [.integer(3)])
        #expect(try selector(#Predicate { $0.takenAt?.name == "Nice" })?.1 == [.string("Nice")])
        #expect(try selector(#Predicate { $0.takenAt?.objectID == id })?.0.isIdentity == true)
        #expect(try selector(#Predicate { ["A", "B"].contains($0.title) })?.1.count == 2)
        #expect(try selector(#Predicate { $0.views > 3 }) == nil)
        #expect(try selector(#Predicate { $0.title == "A" || $0.views == 3 }) == nil)
        #expect(try selector(#Predicate { $0.takenAt == nil }) == nil)
    }

    @Test func `each of many controllers hears of what concerns it, and of nothing else`() throws {
        let places = (0..<20).map { world.place("P\($0)") }
        let photos = (0..<60).map { world.photo("\($0)", at: places[$0 % 20]) }
        let logs = try places.map { place in
            let name = place.name
            return try world.watch(where: #Predicate { $0.takenAt?.name == name })
        }
        let dispatcher = ResultsDispatcher.of(world.context)
        #expect(ResultsDispatcher.of(world.context) === dispatcher)
        photos[3].takenAt = places[4]
        world.context.processPendingChanges()
        #expect(logs.indices.filter { !logs[$0].changes.isEmpty } == [3, 4])
        photos[25].views = 1
        world.context.delete(photos[6])
        world.photo("new", at: places[7])
        for log in logs { _ = log.takeEvents() }
        world.context.processPendingChanges()
        #expect(logs.indices.filter { !logs[$0].changes.isEmpty } == [5, 6, 7])
        for log in logs { _ = log.takeEvents() }
        places[8].name = "P9"
        world.context.processPendingChanges()
        #expect(logs.indices.filter { !logs[$0].changes.isEmpty } == [8, 9])
        #expect(logs[9].results.objects.count == 6)
        #expect(logs.flatMap(\.mismatches) == [])
    }

    @Test func `an object that has one of several values asked for is told once`() throws {
        let photo = world.photo("A")
        let log = try world.watch(where: #Predicate { ["A", "B"].contains($0.title) })
        photo.title = "B"
        world.context.processPendingChanges()
        photo.title = "C"
        world.context.processPendingChanges()
        #expect(log.takeEvents() == [["update 0/0"], ["delete 0/0"]])
        #expect(log.mismatches == [])
    }

    @Test func `a controller that asks for another value hears of that one`() throws {
        let photo = world.photo("A")
        let log = try world.watch(where: #Predicate { $0.title == "B" })
        try log.results.setRequest(FetchRequest(predicate: #Predicate { $0.title == "C" }))
        photo.title = "B"
        world.context.processPendingChanges()
        photo.title = "C"
        world.context.processPendingChanges()
        #expect(log.takeEvents() == [["insert 0/0"]])
    }
}
