import Foundation

extension PredicateExpressions.Conjunction {
    var conjoined: [any PredicateExpression] { lhs.parts + rhs.parts }

    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        let left = try compiler.condition(lhs)
        let right = try compiler.under(left) { compiler throws(NotCompiled) in
            try compiler.condition(rhs)
        }
        return .condition(.every([left, right]))
    }

    func text(_ writer: ExpressionWriter) -> String { writer.text(lhs, "&&", rhs) }

    var careful: Careful<Bool> {
        Careful(PredicateExpressions.Conjunction(lhs: lhs.carefully, rhs: rhs.carefully))
    }
}

extension PredicateExpression {
    /// What an expression conjoins, however it is put in brackets; itself where it does not.
    fileprivate var parts: [any PredicateExpression] {
        (self as? any ConjoinedExpression)?.conjoined ?? [self]
    }
}

extension PredicateExpressions.Disjunction {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        let left = try compiler.condition(lhs)
        let right = try compiler.under(left.negated) { compiler throws(NotCompiled) in
            try compiler.condition(rhs)
        }
        return .condition(.some([left, right]))
    }

    func text(_ writer: ExpressionWriter) -> String { writer.text(lhs, "||", rhs) }

    var careful: Careful<Bool> {
        Careful(PredicateExpressions.Disjunction(lhs: lhs.carefully, rhs: rhs.carefully))
    }
}

extension PredicateExpressions.Negation {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        .condition(try compiler.condition(wrapped).negated)
    }

    func text(_ writer: ExpressionWriter) -> String { "!" + writer.operand(wrapped) }

    var careful: Careful<Bool> { Careful(PredicateExpressions.Negation(wrapped.carefully)) }
}

extension PredicateExpressions.Conditional {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        let start = compiler.loweredCount
        let test = try compiler.condition(test)
        let first = try compiler.under(test) { compiler throws(NotCompiled) in
            try compiler.lower(trueBranch)
        }
        let second = try compiler.under(test.negated) { compiler throws(NotCompiled) in
            try compiler.lower(falseBranch)
        }
        if case .constant(let answer) = test { return answer ? first : second }
        guard first.isTruth || second.isTruth else {
            return .operand(.choosing(test, try first.operand(), try second.operand()))
        }
        let (yes, no) = (try first.truth(), try second.truth())
        func chosen(_ first: Condition, _ second: Condition) -> Condition {
            .some([.every([test, first]), .every([test.negated, second])])
        }
        // A truth value whose type has no room for nil is read from an attribute as it is.
        let isNil =
            Output.self == Bool.self ? .constant(false) : chosen(yes.isNil, no.isNil)
        return try compiler.limited(
            .truth(isNil: isNil, chosen(yes.holds, no.holds)), since: start)
    }

    func text(_ writer: ExpressionWriter) -> String {
        "(\(writer.operand(test)) ? \(writer.operand(trueBranch)) : \(writer.operand(falseBranch)))"
    }

    var careful: Careful<Output> {
        Careful(
            PredicateExpressions.Conditional(
                test: test.carefully, trueBranch: trueBranch.carefully,
                falseBranch: falseBranch.carefully))
    }
}

extension PredicateCompiler {
    /// What an expression became that writes others several times, which grows by powers where such ones lie in each
    /// other; before it, `start` expressions had been lowered.
    ///
    /// One that is long because much was written there may be so.
    func limited(_ lowered: Lowered, since start: Int) throws(NotCompiled) -> Lowered {
        let limit = max(10_000, 4 * (loweredCount - start))
        let size = lowered.parts.reduce(0) { $0 + $1.size(upTo: limit) }
        guard size < limit else {
            throw NotCompiled(reason: "an expression that comes to more than \(limit) parts")
        }
        return lowered
    }
}

// MARK: - Optionals

extension PredicateExpressions.OptionalFlatMap {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        let start = compiler.loweredCount
        let wrapped = try compiler.lower(wrapped)
        guard !(Result.self is any ExpressibleByNilLiteral.Type) else {
            throw NotCompiled(reason: "an optional in an optional")
        }
        let isNil = wrapped.isNil
        compiler.bind(variable.key, to: wrapped.unwrapped)
        let result = try compiler.under(isNil.negated) { compiler throws(NotCompiled) in
            try compiler.lower(transform)
        }
        let lowered: Lowered
        switch result {
        case .condition(let condition): lowered = .truth(isNil: isNil, condition)
        case .guarded(let isInnerNil, let condition):
            lowered = .truth(isNil: .some([isNil, isInnerNil]), condition)
        case let result where result.isNil(where: wrapped): return result
        case .operand(let operand):
            lowered = .operand(.choosing(isNil, .constant(.null), operand))
        case .object(let path), .cast(_, let path):
            lowered = .cast(isNil: .some([isNil, result.isNil]), path)
        case .composite, .members, .identifier:
            throw NotCompiled(reason: "flatMap to what is not a value")
        }
        return try compiler.limited(lowered, since: start)
    }

    func text(_ writer: ExpressionWriter) -> String {
        writer.chain(wrapped, variable.key, transform)
    }

    var careful: Careful<Output> {
        let (wrapped, transform) = (wrapped.carefully, transform.carefully)
        return Careful { [variable] bindings in
            guard let value = try wrapped.evaluate(bindings) else { return nil }
            var inner = bindings
            inner[variable] = value
            return try transform.evaluate(inner) as? Result
        }
    }
}

extension Lowered {
    /// Whether this is a chain that breaks where another value is `nil`, so that it is `nil` there
    /// by itself.
    fileprivate func isNil(where other: Lowered) -> Bool {
        switch (self, other) {
        case (.operand(.attribute(let path)), .operand(.attribute(let other))): path == other
        case (.operand(.attribute(let path)), .composite(let other)): other.hasPart(at: path)
        case (.operand(.attribute(let path)), .object(let other)),
            (.operand(.count(let path)), .object(let other)),
            (.operand(.identity(let path)), .object(let other)):
            other.levels == 0 && path.starts(with: other.slots)
        case (.composite(let path), .object(let other)):
            path.levels == other.levels && path.slots.starts(with: other.slots)
        case (.object(let path), .object(let other)):
            path.levels == other.levels && path.slots.starts(with: other.slots)
        default: false
        }
    }
}

extension PredicateExpressions.NilCoalesce {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        let start = compiler.loweredCount
        let left = try compiler.lower(lhs)
        let right = try compiler.under(left.isNil) { compiler throws(NotCompiled) in
            try compiler.lower(rhs)
        }
        guard left.isTruth || right.isTruth else {
            return .operand(.coalescing(try left.operand(), try right.operand()))
        }
        let (first, second) = (try left.truth(), try right.truth())
        let isNil =
            Output.self == Bool.self
            ? .constant(false) : Condition.every([first.isNil, second.isNil])
        let holds = Condition.some([
            .every([first.isNil.negated, first.holds]), .every([first.isNil, second.holds]),
        ])
        return try compiler.limited(.truth(isNil: isNil, holds), since: start)
    }

    func text(_ writer: ExpressionWriter) -> String { writer.text(lhs, "??", rhs) }

    var careful: Careful<Output> {
        Careful(PredicateExpressions.NilCoalesce(lhs: lhs.carefully, rhs: rhs.carefully))
    }
}

extension PredicateExpressions.ForcedUnwrap {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        let lowered = try compiler.lower(inner)
        compiler.fail(where: lowered.isNil)
        return lowered.unwrapped
    }

    func text(_ writer: ExpressionWriter) -> String { writer.operand(inner) + "!" }

    var careful: Careful<Output> {
        Careful(PredicateExpressions.ForcedUnwrap<Careful<Wrapped?>, Wrapped>(inner.carefully))
    }
}
