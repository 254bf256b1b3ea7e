import Foundation
import PlacesKit
import Testing

/// Which controllers a change is told to.
@Suite struct RoutingTests {
    private typealias Photo = ResultsModel.Photo
    private let world: ResultsFixture

    init() throws {
        world = try ResultsFixture()
    }

    @Test func `each of many controllers hears of what concerns it, and of nothing else`() throws {
        let places = (0..<20).map { world.place("P\($0)") }
        let photos = (0..<60).map { world.photo("\($0)", at: places[$0 % 20]) }
        let logs = try places.map { place in
            let name = place.name
            return try world.watch(where: #Predicate { $0.takenAt?.name == name })
        }
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
