import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// How often the parts of a predicate that cannot be compiled are asked for a value that needs no object.
@Suite struct UncompiledPartsTests {
    /// Cannot be compiled, and has no value; it counts how often it was asked for one.
    private struct Asked: PredicateExpression {
        let counter: Counter

        func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            counter.count()
            throw NoValue()
        }
    }

    private typealias Expression = any StandardPredicateExpression<Bool>

    /// How often the parts are asked before any object is.
    private func count(
        _ terms: Int, joined: (Expression, AnyNode<Bool>) -> Expression
    ) throws -> Int {
        let counter = Counter()
        let part = AnyNode(Asked(counter: counter))
        var all: Expression = part
        for _ in 1..<terms { all = joined(all, part) }
        let expression = all
        let context = ManagedObjectContext(try GraphStore(model: [Scribble.self]))
        #expect(
            try context.count(FetchRequest(predicate: Predicate<Scribble> { _ in expression })) == 0
        )
        return counter.value
    }

    @Test func `a long chain of alternatives asks what cannot be compiled once`() throws {
        func either(_ left: some StandardPredicateExpression<Bool>, _ right: AnyNode<Bool>)
            -> Expression
        {
            PredicateExpressions.build_Disjunction(lhs: left, rhs: right)
        }
        // Each part that is a choice of others would ask again.
        #expect(try count(40) { either($0, $1) } <= 4)
    }

    @Test func `a long chain of conditions asks each that cannot be compiled once`() throws {
        func both(_ left: some StandardPredicateExpression<Bool>, _ right: AnyNode<Bool>)
            -> Expression
        {
            PredicateExpressions.build_Conjunction(lhs: left, rhs: right)
        }
        #expect(try count(40) { both($0, $1) } <= 2 * 40)
    }
}
