import Foundation
import PlacesKit
import Testing

@testable import PlacesKitTests

/// Predicates that hold expressions, which Foundation's macro does not let one write everywhere.
@Suite struct ExpressionQueryTests {
    private typealias Tag = PlacesKitTests.Tag

    @Test func `predicates hold expressions`() throws {
        let weight = #Expression<Tag, Int> { $0.weight * 2 }
        let predicate = Predicate<Tag> { tag in
            AnyNode(
                PredicateExpressions.build_Comparison(
                    lhs: PredicateExpressions.build_evaluate(
                        PredicateExpressions.build_Arg(weight), tag),
                    rhs: PredicateExpressions.build_Arg(1), op: .greaterThan))
        }
        try check(.compiled) { predicate }
    }

    @Test func `an expression is an input of itself`() throws {
        typealias P = PredicateExpressions
        let minus = #Expression<Int, Int, Int> { $0 - $1 }
        let predicate = Predicate<Tag> { tag in
            let weight = P.build_KeyPath(root: tag, keyPath: \.weight)
            let inner = AnyNode(P.build_evaluate(P.build_Arg(minus), P.build_Arg(3), weight))
            return AnyNode(
                P.build_Equal(
                    lhs: P.build_evaluate(P.build_Arg(minus), weight, inner),
                    rhs: P.build_Arg(1)))
        }
        try check(.compiled) { predicate }
    }
}
