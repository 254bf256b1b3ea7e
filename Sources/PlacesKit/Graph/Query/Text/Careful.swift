import Foundation

/// An expression whose parts are evaluated with care.
struct Careful<Output>: PredicateExpression {
    private let answer: (PredicateBindings) throws -> Output

    init(_ answer: @escaping (PredicateBindings) throws -> Output) { self.answer = answer }

    init(_ expression: some PredicateExpression<Output>) { answer = expression.evaluate }

    func evaluate(_ bindings: PredicateBindings) throws -> Output { try answer(bindings) }
}

extension PredicateExpression {
    /// The same expression, evaluated with care.
    var carefully: Careful<Output> {
        (self as? any CarefulExpression<Output>)?.careful ?? Careful(self)
    }
}

/// What has no value, where Foundation would stop the program.
struct NoValue: Error {}

/// A predicate that is asked of objects; one that makes it throw does not match.
struct CarefulPredicate<Object> {
    private let variable: PredicateExpressions.Variable<Object>
    private let expression: Careful<Bool>

    init(_ predicate: Predicate<Object>) {
        (variable, expression) = (predicate.variable, predicate.expression.carefully)
    }

    /// What it answers for an object.
    func answer(for object: Object) -> Bool {
        (try? expression.evaluate(PredicateBindings((variable, object)))) ?? false
    }
}
