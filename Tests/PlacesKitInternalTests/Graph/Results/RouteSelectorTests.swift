import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// By which values of a predicate controllers are found.
@Suite struct RouteSelectorTests {
    private typealias Photo = ResultsModel.Photo
    private let world: ResultsFixture

    init() throws {
        world = try ResultsFixture()
    }

    private func selector(_ predicate: Predicate<Photo>) throws -> (RouteSelector, Set<Datum>)? {
        let graph = world.context.transaction.graph
        let condition = try GraphReading(world.context).condition(
            of: FetchRequest(predicate: predicate))
        return RouteSelector.choices(in: condition, of: 0, graph.layout).first.map { ($0, $1) }
    }

    @Test func `a predicate that asks for a value is found by it`() throws {
        let place = world.place("Nice")
        let id = place.objectID
        #expect(try selector(#Predicate { $0.title == "A" && $0.views > 3 })?.1 == [.string("A")])
        #expect(try selector(#Predicate { $0.views == 3 })?.1 == [.integer(3)])
        #expect(try selector(#Predicate { $0.takenAt?.name == "Nice" })?.1 == [.string("Nice")])
        #expect(try selector(#Predicate { $0.takenAt?.objectID == id })?.0.isIdentity == true)
        #expect(try selector(#Predicate { ["A", "B"].contains($0.title) })?.1.count == 2)
        #expect(
            try selector(#Predicate { $0.title == "A" || $0.title == "B" && $0.views == 3 })?.1
                == [.string("A"), .string("B")])
        #expect(try selector(#Predicate { $0.views > 3 }) == nil)
        #expect(try selector(#Predicate { $0.title == "A" || $0.views > 3 }) == nil)
        #expect(try selector(#Predicate { $0.title == "A" || $0.views == 3 }) == nil)
        #expect(try selector(#Predicate { $0.takenAt == nil }) == nil)
    }

    @Test func `an instant that is no number is no value to be found by`() throws {
        let never = Date(timeIntervalSinceReferenceDate: .nan)
        #expect(try selector(#Predicate { $0.date == never }) == nil)
        let first = Date(timeIntervalSinceReferenceDate: 0)
        #expect(try selector(#Predicate { $0.date == first })?.1 == [.date(first)])
    }

    @Test func `all controllers of a context have one dispatcher`() throws {
        let dispatcher = ResultsDispatcher.of(world.context)
        #expect(ResultsDispatcher.of(world.context) === dispatcher)
    }
}
