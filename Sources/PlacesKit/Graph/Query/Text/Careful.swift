import Foundation
import Synchronization

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

/// Asks objects predicates, and remembers the last one, since objects come in rows.
enum CarefulPredicates {
    /// NB: The closures within hold nothing but expressions of a predicate, which are `Sendable`.
    private struct Entry: @unchecked Sendable {
        var variable: PredicateExpressions.VariableID
        var expression: Careful<Bool>
    }

    private static let last = Mutex<Entry?>(nil)

    /// What a predicate answers for an object; one that makes it throw does not match.
    static func answer<Object>(_ predicate: Predicate<Object>, for object: Object) -> Bool {
        let expression = expression(of: predicate)
        return (try? expression.evaluate(PredicateBindings((predicate.variable, object)))) ?? false
    }

    private static func expression<Object>(of predicate: Predicate<Object>) -> Careful<Bool> {
        let key = predicate.variable.key
        if let last = last.withLock(\.self), last.variable == key { return last.expression }
        let entry = Entry(variable: key, expression: predicate.expression.carefully)
        last.withLock { $0 = entry }
        return entry.expression
    }
}
