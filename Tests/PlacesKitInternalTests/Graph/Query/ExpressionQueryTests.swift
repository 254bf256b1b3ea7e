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
}
