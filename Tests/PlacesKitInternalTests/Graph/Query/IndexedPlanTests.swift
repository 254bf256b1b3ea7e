import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// Plans over indexed attributes, beside a look at each row.
@Suite struct IndexedPlanTests {
    private typealias Item = ShelfModel.Item

    @Test(arguments: [UInt64](1...3))
    func `every plan and single rows agree where there are indexes`(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let graph = try Self.shelves(&generator).transaction.graph
        var conditions = ConditionGenerator(graph: graph, random: generator)
        for number in 0..<150 {
            let table = TableNumber(generator.below(4) == 0 ? generator.below(4) : 2)
            let condition = conditions.condition(in: table, depth: 3, allowsOpaque: false)
            let expected = ContiguousArray(
                graph.rows(in: table).rows.filter {
                    graph.matches(condition, $0, in: table) { _ in false }
                })
            let slots = graph.layout.tables[table].orderedIndexes.map { $0.columns[0].column }
            let key = SortKey(
                operand: .attribute([slots.isEmpty ? 0 : generator.pick(slots)]),
                isAscending: generator.below(2) == 0, hasGreatestNil: generator.below(3) == 0)
            let limit = generator.pick([0, 1, 5, 50, 1_000])
            let first = graph.sorted(expected, by: [key], in: table, first: limit)
            let page = Self.page(of: expected, by: key, in: table, of: graph, &generator)
            for choices in PlanChoices.all {
                var planner = QueryPlanner(graph, choices: choices)
                let all = planner.plan(condition, in: table)
                let sorted = planner.plan(condition, in: table, by: [key], first: limit)
                let next = planner.plan(
                    condition, in: table, by: [key], first: limit, page: page.start)
                var run = QueryRun(graph)
                guard run.rows(all, opaque: { _ in false }) == expected,
                    run.count(all, opaque: { _ in false }) == expected.count,
                    run.rows(sorted, opaque: { _ in false }) == first,
                    run.rows(next, opaque: { _ in false }).elementsEqual(page.rest.prefix(limit))
                else {
                    Issue.record(
                        "Seed \(seed), number \(number), \(choices), \(key), \(limit): \(condition)"
                    )
                    break
                }
            }
        }
    }

    @Test func `a page is found in an index also where nil comes on the other side`() throws {
        let context = try ShelfModel.context()
        let days = (0..<50).map { number in
            number % 5 == 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(number))
        }
        for day in days { Item(context: context).day = day }
        let graph = context.transaction.graph
        let layout = graph.layout.tables[2]
        let slot = try #require(
            layout.orderedIndexes.map { $0.columns[0].column }
                .first { layout.properties[$0].name == "day" })
        for isAscending in [true, false] {
            let key = SortKey(
                operand: .attribute([slot]), isAscending: isAscending, hasGreatestNil: true)
            var (start, found) = (PageStart(), [Datum]())
            repeat {
                var planner = QueryPlanner(graph)
                var run = QueryRun(graph)
                let plan = planner.plan(.constant(true), in: 2, by: [key], first: 7, page: start)
                guard case .walk = plan.step else {
                    Issue.record("a page after \(found.count) is no walk")
                    break
                }
                let rows = run.rows(plan) { _ in false }
                found += rows.map { graph.value(of: key.operand, $0, in: 2) }
                start.last = rows.last.map { row in
                    PageStart.Last(
                        values: [graph.value(of: key.operand, row, in: 2)],
                        number: graph.objectID(row, in: 2).number)
                }
            } while start.last != nil && found.count <= days.count
            let ascending = days.compactMap(\.self).sorted().map(Datum.date)
            let nils = days.filter { $0 == nil }.map { _ in Datum.null }
            #expect(found == (isAscending ? ascending + nils : nils + ascending.reversed()))
        }
    }

    /// A page that begins after any row, and the rows that come there by a plain sort.
    private static func page(
        of rows: ContiguousArray<Row>, by key: SortKey, in table: TableNumber, of graph: Graph,
        _ generator: inout SplitMix64
    ) -> (start: PageStart, rest: [Row]) {
        func last(_ row: Row) -> PageStart.Last {
            PageStart.Last(
                values: [graph.value(of: key.operand, row, in: table)],
                number: graph.objectID(row, in: table).number)
        }
        func precedes(_ first: PageStart.Last, _ second: PageStart.Last) -> Bool {
            let order = key.order(first.values[0], second.values[0])
            return order == .orderedSame
                ? first.number < second.number : order == .orderedAscending
        }
        let all = Array(graph.rows(in: table).rows)
        let start = all.isEmpty ? nil : generator.maybe(all).map(last)
        let rest = rows.sorted { precedes(last($0), last($1)) }
        return (
            PageStart(last: start),
            rest.filter { row in start.map { precedes($0, last(row)) } ?? true }
        )
    }

    /// The items of `context`, most of them on shelves, with a maker or without.
    private static func shelves(_ generator: inout SplitMix64) throws -> ManagedObjectContext {
        let context = try IndexedQueryTests.context(&generator)
        let shelves = (0..<12).map { number in
            let shelf = ShelfModel.Shelf(context: context)
            shelf.name = "shelf \(number % 5)"
            return shelf
        }
        let makers = (0..<5).map { _ in ShelfModel.Maker(context: context) }
        for (number, item) in try context.fetch(Item.self).enumerated() {
            item.shelf = generator.maybe(shelves)
            item.maker = generator.maybe(makers)
            item.number = number
        }
        context.delete(shelves[3])
        return context
    }

    @Test(arguments: [UInt64](1...3))
    func `something exists where something is counted`(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let graph = try Self.shelves(&generator).transaction.graph
        var conditions = ConditionGenerator(graph: graph, random: generator)
        for number in 0..<200 {
            let condition = conditions.condition(in: 2, depth: 3, allowsOpaque: false)
            let count = graph.countRows(condition, in: 2) { _ in false }
            for choices in PlanChoices.all {
                var planner = QueryPlanner(graph, choices: choices)
                var run = QueryRun(graph)
                let isAny = run.isAny(planner.plan(condition, in: 2)) { _ in false }
                #expect(
                    isAny == (count > 0), "seed \(seed), \(number), \(choices): \(condition)")
            }
        }
    }

    @Test func `whether something exists is told without asking all`() throws {
        let context = try ShelfModel.context()
        for number in 0..<5_000 { Item(context: context).number = number }
        let graph = context.transaction.graph
        var planner = QueryPlanner(graph)
        var run = QueryRun(graph)
        var asked = 0
        let plan = planner.plan(.opaque(OpaqueCondition(reason: "a test")), in: 2)
        #expect(
            run.isAny(plan) { row in
                asked += 1
                return row == 10
            })
        #expect(asked <= 1_024)
    }
}
