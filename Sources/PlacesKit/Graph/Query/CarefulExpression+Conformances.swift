import Foundation

// MARK: - Where care is needed

extension PredicateExpressions.Arithmetic {
    var careful: Careful<Output> {
        let operation: ArithmeticOperator? =
            switch op {
            case .add: .plus
            case .subtract: .minus
            case .multiply: .times
            @unknown default: nil
            }
        let (left, right) = (lhs.carefully, rhs.carefully)
        guard let operation, let type = Output.self as? any FixedWidthInteger.Type else {
            return Careful(PredicateExpressions.Arithmetic(lhs: left, rhs: right, op: op))
        }
        return .whole(type, left, operation, right)
    }
}

extension PredicateExpressions.IntDivision {
    var careful: Careful<Output> {
        .whole(Output.self, lhs.carefully, .divided, rhs.carefully)
    }
}

extension PredicateExpressions.IntRemainder {
    var careful: Careful<Output> {
        .whole(Output.self, lhs.carefully, .remainder, rhs.carefully)
    }
}

extension PredicateExpressions.UnaryMinus {
    var careful: Careful<Output> {
        let wrapped = wrapped.carefully
        guard let type = Output.self as? any FixedWidthInteger.Type else {
            return Careful(PredicateExpressions.UnaryMinus(wrapped))
        }
        return .whole(type, Careful { _ in .zero }, .minus, wrapped)
    }
}

extension Careful {
    /// What two integers come to; nothing where their type has no room for it.
    fileprivate static func whole(
        _ type: Any.Type, _ left: Careful, _ operation: ArithmeticOperator, _ right: Careful
    ) -> Careful {
        guard let type = type as? any FixedWidthInteger.Type else {
            return Careful { _ in throw NoValue() }
        }
        return exactly(type, left, operation, right)
    }

    private static func exactly<Number: FixedWidthInteger>(
        _ type: Number.Type, _ left: Careful, _ operation: ArithmeticOperator, _ right: Careful
    ) -> Careful {
        Careful { bindings in
            guard let left = try left.evaluate(bindings) as? Number,
                let right = try right.evaluate(bindings) as? Number,
                let result = operation.exactly(left, right) as? Output
            else { throw NoValue() }
            return result
        }
    }
}

extension PredicateExpressions.Comparison {
    var careful: Careful<Bool> {
        let plain = PredicateExpressions.Comparison(
            lhs: lhs.carefully, rhs: rhs.carefully, op: op)
        guard let left = lhs.carefully as? Careful<String>,
            let right = rhs.carefully as? Careful<String>,
            let comparison = ComparisonOperator(op)
        else { return Careful(plain) }
        return Careful { bindings in
            let order = try left.evaluate(bindings).canonicalOrder(to: right.evaluate(bindings))
            return comparison.holds(order, 0)
        }
    }
}

extension PredicateExpressions.Range {
    var careful: Careful<Output> {
        let (lower, upper) = (lower.carefully, upper.carefully)
        return Careful { bindings in
            let (lower, upper) = (try lower.evaluate(bindings), try upper.evaluate(bindings))
            guard lower <= upper else { throw NoValue() }
            return lower..<upper
        }
    }
}

extension PredicateExpressions.ClosedRange {
    var careful: Careful<Output> {
        let (lower, upper) = (lower.carefully, upper.carefully)
        return Careful { bindings in
            let (lower, upper) = (try lower.evaluate(bindings), try upper.evaluate(bindings))
            guard lower <= upper else { throw NoValue() }
            return lower...upper
        }
    }
}

extension PredicateExpressions.RangeExpressionContains {
    var careful: Careful<Bool> {
        let (range, element) = (range.carefully, element.carefully)
        return Careful { bindings in
            let range = try range.evaluate(bindings)
            let element = try element.evaluate(bindings)
            guard let text = element as? String else { return range.contains(element) }
            return range.containsText(text)
        }
    }
}

extension RangeExpression {
    /// Whether a text lies in a range of texts, in the order that indexes have.
    fileprivate func containsText(_ text: String) -> Bool {
        guard let ends = (self as? any RangeExpression<String>)?.ends else { return false }
        if let lower = ends.lower, text.canonicalOrder(to: lower) < 0 { return false }
        guard let upper = ends.upper else { return true }
        let order = text.canonicalOrder(to: upper)
        return ends.excludesUpper ? order < 0 : order <= 0
    }
}

extension PredicateExpressions.SequenceMinimum {
    var careful: Careful<Output> {
        let elements = elements.carefully
        return Careful { try elements.evaluate($0).min(by: Elements.Output.Element.precedes) }
    }
}

extension PredicateExpressions.SequenceMaximum {
    var careful: Careful<Output> {
        let elements = elements.carefully
        return Careful { try elements.evaluate($0).max(by: Elements.Output.Element.precedes) }
    }
}

extension Comparable {
    /// Whether a value comes before another, text in the order that indexes have.
    fileprivate static func precedes(_ left: Self, _ right: Self) -> Bool {
        guard let left = left as? String, let right = right as? String else { return left < right }
        return left.canonicalOrder(to: right) < 0
    }
}

// MARK: - Closures

extension PredicateExpressions.SequenceContainsWhere {
    var careful: Careful<Bool> {
        let (sequence, test) = (sequence.carefully, test.carefully)
        return Careful { [variable] bindings in
            var inner = bindings
            return try sequence.evaluate(bindings).contains {
                inner[variable] = $0
                return try test.evaluate(inner)
            }
        }
    }
}

extension PredicateExpressions.SequenceAllSatisfy {
    var careful: Careful<Bool> {
        let (sequence, test) = (sequence.carefully, test.carefully)
        return Careful { [variable] bindings in
            var inner = bindings
            return try sequence.evaluate(bindings).allSatisfy {
                inner[variable] = $0
                return try test.evaluate(inner)
            }
        }
    }
}

extension PredicateExpressions.Filter {
    var careful: Careful<Output> {
        let (sequence, test) = (sequence.carefully, filter.carefully)
        return Careful { [variable] bindings in
            var inner = bindings
            return try sequence.evaluate(bindings).filter {
                inner[variable] = $0
                return try test.evaluate(inner)
            }
        }
    }
}

extension PredicateExpressions.OptionalFlatMap {
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

// MARK: - Expressions within others

extension PredicateExpressions.ExpressionEvaluate {
    var careful: Careful<Output> {
        guard let inner = expression.constant else { return Careful(self) }
        let expression = inner.expression.carefully
        let inputs = (repeat (each input).carefully)
        return Careful { bindings in
            var own = PredicateBindings()
            for (variable, input) in repeat (each inner.variable, each inputs) {
                own[variable] = try input.evaluate(bindings)
            }
            return try expression.evaluate(own)
        }
    }
}
