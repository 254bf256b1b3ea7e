import Foundation
import PlacesKit

@testable import PlacesGraph

/// An expression of any kind, so that random trees are of few types.
struct AnyNode<Output>: StandardPredicateExpression, @unchecked Sendable {
    let expression: any PredicateExpression<Output>

    init(_ expression: any PredicateExpression<Output>) { self.expression = expression }

    func evaluate(_ bindings: PredicateBindings) throws -> Output {
        try expression.evaluate(bindings)
    }

    func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
            self, EncodingError.Context(codingPath: [], debugDescription: "a test's expression"))
    }

    init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
            DecodingError.Context(codingPath: [], debugDescription: "a test's expression"))
    }
}

extension AnyNode: LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        try compiler.lower(expression)
    }

    func text(_ writer: ExpressionWriter) -> String { writer.text(expression) }
}

extension AnyNode: CarefulExpression {
    var careful: Careful<Output> { expression.carefully }
}

/// A random expression, and what it comes to by plain Swift.
struct Random<Output> {
    var node: AnyNode<Output>
    /// What the expression comes to for the objects of its closures, the innermost last.
    var naive: ([ManagedObject]) throws -> Output
    var text: String

    init(
        _ expression: any PredicateExpression<Output>, _ text: String,
        _ naive: @escaping ([ManagedObject]) throws -> Output
    ) {
        node = AnyNode(expression)
        self.naive = naive
        self.text = text
    }

    static func constant(_ value: Output) -> Random {
        Random(PredicateExpressions.Value(value), "\(value)") { _ in value }
    }
}

/// What has no value by plain Swift, where Swift itself would stop.
struct Stopped: Error {}
