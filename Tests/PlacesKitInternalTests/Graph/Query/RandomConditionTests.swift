import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// Random conditions, by every plan and row by row.
@Suite struct RandomConditionTests {
    @Test(arguments: [UInt64](1...4))
    func `every plan and single rows agree on random conditions`(seed: UInt64) throws {
        let world = try SpecimenWorld(seed: seed)
        let graph = world.context.transaction.graph
        var generator = ConditionGenerator(graph: graph, random: SplitMix64(seed: seed))
        let opaque: (Row) -> Bool = { $0.index % 3 == 0 }
        for number in 0..<150 {
            let table = TableNumber(generator.random.below(graph.schema.entities.count))
            let condition = generator.condition(in: table, depth: 4, allowsOpaque: true)
            let expected = ContiguousArray(
                graph.rows(in: table).rows.filter {
                    graph.matches(condition, $0, in: table, opaque: opaque)
                })
            for choices in PlanChoices.all {
                var planner = QueryPlanner(graph, choices: choices)
                let plan = planner.plan(condition, in: table)
                var (run, counting) = (QueryRun(graph), QueryRun(graph, isTraced: true))
                guard run.rows(plan, opaque: opaque) == expected,
                    counting.count(plan, opaque: opaque) == expected.count,
                    run.isAny(plan, opaque: opaque) == !expected.isEmpty
                else {
                    Issue.record("Seed \(seed), number \(number), \(choices): \(condition)")
                    break
                }
            }
        }
    }

    @Test func `simplified logic says the same`() throws {
        let world = try SpecimenWorld(seed: 9, saved: 60)
        let graph = world.context.transaction.graph
        var generator = ConditionGenerator(graph: graph, random: SplitMix64(seed: 9))
        for number in 0..<200 {
            let parts = (0..<generator.random.below(4)).map { _ in
                generator.condition(in: 0, depth: 2, allowsOpaque: false)
            }
            let pairs: [(Condition, Condition)] =
                [(.every(parts), .all(parts)), (.some(parts), .any(parts))]
                + parts.map { ($0.negated, .not($0)) }
            for (simple, full) in pairs {
                let answers = [simple, full].map { condition in
                    graph.rows(in: 0).rows.map { row in
                        graph.matches(condition, row, in: 0) { _ in false }
                    }
                }
                if answers[0] != answers[1] { Issue.record("\(number): \(simple) \(full)") }
            }
        }
    }

    @Test func `specimens lie in several chunks of their table`() throws {
        let graph = try SpecimenWorld(seed: 1).context.transaction.graph
        let rows = graph.rows(in: 0).rows
        #expect(Set(rows.map(\.chunk)).count == 2)
    }
}
