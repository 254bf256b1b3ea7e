import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// What a predicate costs before it runs: each part of it is looked at once.
@Suite struct PlannedOnceTests {

    private static func condition(
        _ format: String, _ arguments: Any?..., in context: ManagedObjectContext
    ) throws -> Condition {
        try FormatCompiler.compile(
            try PredicateFormat(format, arguments: arguments), of: 0,
            in: context.transaction.graph, now: Date())
    }

    // MARK: - Hops

    @Test(arguments: ["next", "parts", "whole", "next.previous"])
    func `the steps of a plan grow with the hops and not with their power`(hop: String) throws {
        let context = try HopsAndListsTests.line(100)
        func steps(_ hops: Int, _ choices: PlanChoices) throws -> Int {
            let path = Array(repeating: hop, count: hops).joined(separator: ".")
            let quantifier = hop == "whole" ? "" : "ANY "
            let condition = try Self.condition(
                "\(quantifier)\(path).name != 'stop 50'", in: context)
            var planner = QueryPlanner(context.transaction.graph, choices: choices)
            // Steps are numbered as they are made, and the first of a query is made last.
            return planner.plan(condition, in: 0).id + 1
        }
        for choices in PlanChoices.all {
            let (ten, twenty) = (try steps(10, choices), try steps(20, choices))
            #expect(ten <= 100)
            #expect(twenty <= ten * 2 + 2)
        }
    }

    @Test func `rows with many ways to others are joined and not asked one by one`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Stop.self]))
        // Twelve rows of three stops, each of which leads to all of the next row.
        var stops: [[Stop]] = []
        for row in 0..<12 {
            stops.append(
                (0..<3).map { _ in
                    let stop = Stop(context: context)
                    stop.number = row
                    return stop
                })
        }
        for (row, next) in zip(stops, stops.dropFirst()) {
            for stop in row { for other in next { stop.next.insert(other) } }
        }
        let path = Array(repeating: "next", count: 11).joined(separator: ".")
        let graph = context.transaction.graph
        let condition = try Self.condition("ANY \(path).number == 12", in: context)
        var planner = QueryPlanner(graph)
        #expect(planner.planned(condition, in: 0).visits > 10_000)
        var run = QueryRun(graph)
        #expect(run.count(planner.plan(condition, in: 0)) { _ in false } == 0)
    }

    // MARK: - Lists

    @Test func `a list is one look into a set`() throws {
        let context = try HopsAndListsTests.line(20)
        let texts = (0..<2_000).map { "STOP \($0)" }
        func values(_ format: String, _ list: [Any]) throws -> Int? {
            var condition = try Self.condition(format, list, in: context)
            while true {
                switch condition {
                case .related(_, let inner, _), .anyMember(_, let inner): condition = inner
                case .membership(_, let values): return values.count
                default: return nil
                }
            }
        }
        #expect(try values("name IN %@", texts) == 2_000)
        #expect(try values("name IN[c] %@", texts) == 2_000)
        #expect(try values("name IN[cd] %@", texts + texts.map { $0.lowercased() }) == 2_000)
        #expect(try values("whole.whole.name IN[c] %@", texts) == 2_000)
        #expect(try values("ANY next.next.name IN[c] %@", texts) == 2_000)
        #expect(try values("whole.number IN %@", Array(0..<2_000)) == 2_000)
        #expect(try values("parts.@count IN %@", Array(0..<2_000)) == 2_000)
    }
}
