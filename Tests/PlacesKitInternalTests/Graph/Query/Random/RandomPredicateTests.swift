import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// Random predicates in random worlds: the engine, the objects themselves and plain Swift agree.
///
/// `PLACESKIT_RANDOM_PREDICATES` says how many.
@Suite struct RandomPredicateTests {
    static let count =
        ProcessInfo.processInfo.environment["PLACESKIT_RANDOM_PREDICATES"].flatMap(Int.init) ?? 300

    @Test func `random predicates have one answer`() throws {
        for seed in 0..<UInt64(max(1, Self.count / 150)) {
            try check(seed: seed, predicates: min(Self.count, 150))
        }
    }

    private func check(seed: UInt64, predicates: Int) throws {
        let world = try SpecimenWorld(seed: seed, saved: 30)
        let context = world.context
        let objects = try world.specimens
        let table = try context.table(of: Specimen.self)
        let graph = context.transaction.graph
        var generator = PredicateGenerator(seed: seed)
        var writtenCount = 0
        defer { #expect(writtenCount > predicates / 4, "seed \(seed): few have words in formats") }
        for number in 0..<predicates {
            generator.allowsFailures = number % 4 > 0
            let (predicate, random) = generator.predicate()
            let expected = objects.filter { (try? random.naive([$0])) ?? false }
            func fail(_ problem: String) {
                Issue.record("Seed \(seed), predicate \(number), \(problem): \(random.text)")
            }
            let condition = context.condition(predicate, in: table)
            if condition.isOpaque { fail("is not compiled") }
            let fetched = Array(try context.fetch(FetchRequest(predicate: predicate)))
            if let difference = fetched.difference(to: expected) { fail("fetch: \(difference)") }
            let written = try? PredicateFormat(predicate)
            writtenCount += written == nil ? 0 : 1
            if let written {
                let found = Array(try context.fetch(FetchRequest<Specimen>(where: written)))
                if let difference = found.difference(to: expected) {
                    fail("\(written): \(difference)")
                }
            }
            // Every third object is enough where each is asked by itself.
            let asked = objects.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
            let answers = asked.filter { (try? random.naive([$0])) ?? false }
            let single = asked.filter { object in
                graph.matches(condition, object.row, in: table.number) { _ in false }
            }
            if let difference = single.difference(to: answers) { fail("single: \(difference)") }
            let careful = asked.filter(CarefulPredicate(predicate).answer)
            if let difference = careful.difference(to: answers) { fail("asked: \(difference)") }
            guard !generator.allowsFailures else { continue }
            let plain = asked.filter { (try? predicate.evaluate($0)) ?? false }
            if let difference = plain.difference(to: answers) { fail("Foundation: \(difference)") }
        }
    }
}
