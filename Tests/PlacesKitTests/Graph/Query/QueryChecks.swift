import Foundation
import PlacesKit
import Testing

/// Whether a predicate is to be compiled, or asked of each object in whole or in part.
enum Compilation {
    case compiled, fallback
}

/// Compares each predicate's `fetch` and `count` with what Foundation answers for each object, in
/// random worlds.
func check(
    _ expected: Compilation, seeds: [UInt64] = [1, 2],
    @PredicateListBuilder _ checks: () -> [PredicateCheck],
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    for seed in seeds {
        let world = try SpecimenWorld(seed: seed)
        for check in checks() {
            try check(world.context, expected, "Seed \(seed)", sourceLocation)
        }
    }
}

/// Checks a predicate of any class in a context.
typealias PredicateCheck = (ManagedObjectContext, Compilation, String, SourceLocation) throws ->
    Void

extension ManagedObjectContext {
    /// Compares `fetch` and `count` with what Foundation answers for each object.
    func check<Object: ManagedObject>(
        _ predicate: Predicate<Object>, _ expected: Compilation, _ note: String = "",
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        try check(predicate, expected, note, location) {
            (try? predicate.evaluate($0)) ?? false
        }
    }

    /// Compares `fetch` and `count` with what plain Swift answers for each object.
    func check<Object: ManagedObject>(
        _ predicate: Predicate<Object>, _ expected: Compilation, _ note: String = "",
        _ location: SourceLocation = #_sourceLocation, by answer: (Object) -> Bool
    ) throws {
        let all = Array(try fetch(Object.self))
        let matches = all.filter(answer)
        let request = FetchRequest(predicate: predicate)
        let reasons = try request.explain(in: self).notCompiled
        func fail(_ problem: String) {
            Issue.record(
                "\(note): \(problem): \(predicate)" as Comment,
                sourceLocation: location)
        }
        if reasons.isEmpty != (expected == .compiled) {
            fail("expected to be \(expected), not compiled: \(reasons)")
        }
        if let difference = Array(try fetch(request)).difference(to: matches) {
            fail("fetch: \(difference)")
        }
        if let written = try? PredicateFormat(predicate) {
            let found = Array(try fetch(FetchRequest<Object>(where: written)))
            if let difference = found.difference(to: matches) { fail("\(written): \(difference)") }
        }
        let single = try request.matches(among: all, in: self)
        if let difference = single.difference(to: matches) { fail("row by row: \(difference)") }
        if try count(request) != matches.count { fail("counts \(try count(request))") }
    }
}

extension Array where Element: ManagedObject {
    /// Where an answer is first not what was expected.
    func difference(to expected: [Element]) -> String? {
        guard self != expected else { return nil }
        let first = zip(self, expected).first { $0 != $1 }
        return """
            \(count) objects, expected \(expected.count), \
            first difference \(first.map { "\($0.objectID) \($1.objectID)" } ?? "at the end")
            """
    }
}

/// Lists predicates, each checked by the compiler on its own.
@resultBuilder
enum PredicateListBuilder {
    static func buildExpression<Object: ManagedObject>(
        _ predicate: Predicate<Object>
    ) -> [PredicateCheck] {
        buildExpression([predicate])
    }

    static func buildExpression<Object: ManagedObject>(
        _ predicates: [Predicate<Object>]
    ) -> [PredicateCheck] {
        predicates.map { predicate in
            { try $0.check(predicate, $1, $2, $3) }
        }
    }

    static func buildBlock(_ checks: [PredicateCheck]...) -> [PredicateCheck] {
        checks.flatMap(\.self)
    }

    static func buildArray(_ checks: [[PredicateCheck]]) -> [PredicateCheck] {
        checks.flatMap(\.self)
    }
}
