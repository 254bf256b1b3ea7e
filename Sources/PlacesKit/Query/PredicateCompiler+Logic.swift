import Foundation

extension PredicateExpressions.Conjunction: LoweredExpression, ConjoinedExpression {
    var conjoined: [any PredicateExpression] { [lhs, rhs] }

    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        .condition(.every([try compiler.condition(lhs), try compiler.condition(rhs)]))
    }
}

extension PredicateExpressions.Disjunction: LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        .condition(.some([try compiler.condition(lhs), try compiler.condition(rhs)]))
    }
}

extension PredicateExpressions.Negation: LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        .condition(try compiler.condition(wrapped).negated)
    }
}

extension PredicateExpressions.Conditional: LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        guard Output.self == Bool.self else {
            throw NotCompiled(reason: "a choice between values")
        }
        let test = try compiler.condition(test)
        return .condition(
            .some([
                .every([test, try compiler.condition(trueBranch)]),
                .every([test.negated, try compiler.condition(falseBranch)]),
            ]))
    }
}

// MARK: - Optionals

extension PredicateExpressions.OptionalFlatMap: LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        let wrapped = try compiler.lower(wrapped)
        guard !(Result.self is any ExpressibleByNilLiteral.Type) else {
            throw NotCompiled(reason: "an optional in an optional")
        }
        let isNil = Condition.comparing(try compiler.operand(wrapped), .equal, .constant(.null))
        compiler.variables[variable.key] = wrapped
        switch try compiler.lower(transform) {
        case .condition(let condition): return .guarded(isNil: isNil, condition)
        case .guarded(let isInnerNil, let condition):
            return .guarded(isNil: .some([isNil, isInnerNil]), condition)
        case let result where result.isNil(where: wrapped): return result
        case .operand, .object, .members, .identifier:
            throw NotCompiled(reason: "flatMap to what is not a property of its argument")
        }
    }
}

extension Lowered {
    /// Whether this is a chain that breaks where another value is `nil`, so that it is `nil` there
    /// by itself.
    fileprivate func isNil(where other: Lowered) -> Bool {
        switch (self, other) {
        case (.operand(.attribute(let path)), .operand(.attribute(let other))): path == other
        case (.operand(.attribute(let path)), .object(let other, _)),
            (.operand(.count(let path)), .object(let other, _)),
            (.operand(.identity(let path)), .object(let other, _)),
            (.object(let path, _), .object(let other, _)):
            path.starts(with: other)
        default: false
        }
    }
}

extension PredicateExpressions.NilCoalesce: LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        let (left, right) = (try compiler.lower(lhs), try compiler.lower(rhs))
        switch (left, right) {
        case (.guarded, _), (_, .condition):
            let (left, right) = (try compiler.truth(left), try compiler.truth(right))
            return .condition(
                .some([
                    .every([left.isNil.negated, left.holds]), .every([left.isNil, right.holds]),
                ]))
        case (.operand(let first), .operand(let second)):
            return .operand(.coalesced(first, second))
        default: throw NotCompiled(reason: "?? of what is not a property")
        }
    }
}

extension PredicateCompiler {
    /// Where a truth value that may be `nil` is so, and where it is true.
    func truth(_ lowered: Lowered) throws(NotCompiled) -> (isNil: Condition, holds: Condition) {
        switch lowered {
        case .condition(let condition): return (.constant(false), condition)
        case .guarded(let isNil, let condition): return (isNil, condition)
        case .operand(let operand):
            return (
                .comparing(operand, .equal, .constant(.null)),
                .comparing(operand, .equal, .constant(.boolean(true)))
            )
        case .object, .members, .identifier:
            throw NotCompiled(reason: "a truth value was expected")
        }
    }
}
