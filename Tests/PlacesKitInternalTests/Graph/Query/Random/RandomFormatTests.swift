import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// Random format strings in random worlds: the engine and a plain evaluation of the tree agree.
@Suite struct RandomFormatTests {
    @Test func `random format strings have one answer`() throws {
        let count = RandomPredicateTests.count
        for seed in 0..<UInt64(max(1, count / 150)) {
            try check(seed: seed, formats: min(count, 150))
        }
    }

    /// A format as it is when it was saved and read again.
    private func saved(_ format: PredicateFormat) -> PredicateFormat? {
        try? JSONDecoder().decode(PredicateFormat.self, from: JSONEncoder().encode(format))
    }

    private func check(seed: UInt64, formats: Int) throws {
        let world = try SpecimenWorld(seed: seed, saved: 30)
        let objects = try world.specimens
        let graph = world.context.transaction.graph
        var generator = FormatGenerator(seed: seed)
        for number in 0..<formats {
            let (text, arguments, holds) = generator.format()
            let expected = objects.filter(holds)
            func fail(_ problem: String) {
                Issue.record("Seed \(seed), format \(number), \(problem): \(text) \(arguments)")
            }
            do throws(PredicateFormatError) {
                let parsed = try PredicateFormat(text, arguments: arguments)
                guard let predicate = saved(parsed), predicate == parsed else {
                    fail("saved and read again it is another")
                    continue
                }
                let printed = try PredicateFormat(predicate.description)
                if printed.description != predicate.description {
                    fail("printed it is \(predicate), and that printed \(printed)")
                }
                let condition = try FormatCompiler.compile(
                    number % 2 == 0 ? printed : predicate, of: 0, in: graph,
                    now: Date(timeIntervalSinceReferenceDate: 0))
                let rows = graph.fetchRows(condition, in: 0) { _ in false }
                if Array(rows) != expected.map(\.row) {
                    fail("\(rows.count) rows, expected \(expected.count)")
                }
                let single = objects.filter { object in
                    graph.matches(condition, object.row, in: 0) { _ in false }
                }
                if let difference = single.difference(to: expected) { fail(difference) }
            } catch {
                fail("\(error)")
            }
        }
    }
}
