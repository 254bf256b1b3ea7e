import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// How many entries of an index a walk reads.
@Suite struct IndexRowsTests {
    private typealias Item = ShelfModel.Item

    @Test(arguments: ["size", "weight", "isLit", "title"], [true, false])
    func `of rows that share a value no more are read than are asked for, also going down`(
        name: String, isAscending: Bool
    ) throws {
        let context = try ShelfModel.context()
        for number in 0..<1_000 {
            let item = Item(context: context)
            item.size = number * 7 % 5
            item.weight = number % 10 == 0 ? Double(number % 3) : nil
            item.isLit = number % 9 == 0
            item.title = "\(number % 400)"
        }
        let graph = context.transaction.graph
        let slot = try #require(
            graph.layout.tables[2].properties.slots.first {
                graph.layout.tables[2].properties[$0].name == name
            })
        let all = ContiguousArray(graph.rows(in: 2).rows)
        for hasGreatestNil in [true, false] {
            let key = SortKey(
                operand: .attribute([slot]), isAscending: isAscending,
                hasGreatestNil: hasGreatestNil)
            var planner = QueryPlanner(graph)
            let plan = planner.plan(.constant(true), in: 2, by: [key], first: 10)
            guard case .walk(let walk, _, _) = plan.step else {
                Issue.record("\(name) is not walked")
                continue
            }
            let sorted = graph.sorted(all, by: [key], in: 2, first: nil)
            for size in [1, 3, 20, 128, 700, 2_000] {
                var rows = IndexRows(walk, in: 2, of: graph)
                var found = ContiguousArray<Row>()
                while case let batch = rows.next(size), !batch.isEmpty {
                    #expect(batch.count <= 2 * size)
                    found += batch
                }
                #expect(found == sorted)
            }
        }
    }
}
