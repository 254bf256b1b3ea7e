import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph

/// What telling whether anything exists looks at.
@Suite struct ExistenceTests {
    /// Houses that all have two words, each in a town.
    private static func context(town: (Int) -> Int = { $0 % 16 }) throws -> ManagedObjectContext {
        let context = ManagedObjectContext(try GraphStore(model: [Town.self, House.self]))
        let towns = (0..<16).map { number in
            let town = Town(context: context)
            town.name = "T\(number)"
            return town
        }
        for number in 0..<6_000 {
            let house = House(context: context)
            house.title = "old house \(number) in town"
            house.year = number
            house.floors = number % 8
            house.score = number % 97
            house.serial = number
            house.town = towns[town(number)]
            house.place = Coordinate(
                latitude: Double((number * 7_919) % 17_000) / 100 - 85,
                longitude: Double((number * 10_729) % 36_000) / 100 - 180)
        }
        return context
    }

    private static func requests(score: Int) throws -> [FetchRequest<House>] {
        let circle = CoordinateArea.circle(
            center: Coordinate(latitude: 10, longitude: 10), kilometers: 3_000)
        return [
            FetchRequest<House>(
                searching: "old", in: \.title, predicate: #Predicate { $0.score > score }),
            FetchRequest<House>(
                searching: "old tow", in: \.title, predicate: #Predicate { $0.score > score }),
            try FetchRequest<House>(where: "year > 5000 AND floors == 3 AND score > %d", score),
            try FetchRequest<House>(where: "town.name == 'T3' AND score > %d", score),
            try FetchRequest<House>(
                where: .located(in: circle, \.place) && CompoundPredicate("score > %d", score)),
        ]
    }

    private static var alone: [FetchRequest<House>] {
        get throws {
            [
                FetchRequest<House>(searching: "old", in: \.title),
                FetchRequest<House>(searching: "old tow", in: \.title),
                try FetchRequest<House>(where: "year > 10"),
                try FetchRequest<House>(where: "town.name == 'T3'"),
            ]
        }
    }

    @Test func `no index and no relationship is followed further than to the first match`() throws {
        let context = try Self.context()
        let graph = context.transaction.graph
        let table = try context.table(of: House.self).number
        for (number, request) in (try Self.alone + Self.requests(score: 3)).enumerated() {
            #expect(try context.exists(request), "\(number)")
            let condition = try GraphReading(context).condition(of: request)
            var planner = QueryPlanner(graph, choices: [.sensible, .existence])
            var run = QueryRun(graph, isTraced: true)
            #expect(run.isAny(planner.plan(condition, in: table)) { _ in false }, "\(number)")
            // The trace has what was found as a whole: a few towns.
            let most = run.trace?.values.map(\.rows).max() ?? 0
            #expect(most <= 64, "\(number)")
        }
    }

    @Test func `nothing exists where all that indexes and relationships give was asked`() throws {
        let context = try Self.context()
        for (number, request) in (try Self.requests(score: 1_000)).enumerated() {
            #expect(try !context.exists(request), "\(number)")
        }
        #expect(try !context.exists(FetchRequest<House>(searching: "old sea", in: \.title)))
        #expect(try !context.exists(FetchRequest<House>(where: "year > 5999")))
        #expect(try !context.exists(FetchRequest<House>(where: "town.name == 'T16'")))
    }

    @Test func `one match among thousands of links is found, wherever it is`() throws {
        let context = try Self.context { _ in 3 }
        for serial in [0, 1, 1_500, 5_998, 5_999, 6_000] {
            let request = try FetchRequest<House>(
                where: "town.name == 'T3' AND serial == %d", serial)
            #expect(try context.exists(request) == (serial < 6_000), "\(serial)")
        }
    }
}

private final class Town: ManagedObject {
    @Attribute var name = ""
    @Relationship var houses: ObjectSet<House>
}

private final class House: ManagedObject {
    @Attribute(.searchable) var title = ""
    @Attribute(.indexed) var year = 0
    @Attribute(.indexed) var floors = 0
    @Attribute var score = 0
    @Attribute var serial = 0
    @Composite var place: Coordinate?
    @Relationship(inverse: \Town.houses) var town: Town?

    override class var constraints: [EntityConstraint] { [.spatialIndex(\House.place)] }
}
