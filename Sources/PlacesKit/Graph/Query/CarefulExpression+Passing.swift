import Foundation

// What only passes the care on to the expressions within.

extension PredicateExpressions.KeyPath {
    var careful: Careful<Output> {
        let root = root.carefully
        return Careful { [keyPath] in try root.evaluate($0)[keyPath: keyPath] }
    }
}

extension PredicateExpressions.Conjunction {
    var careful: Careful<Bool> {
        Careful(PredicateExpressions.Conjunction(lhs: lhs.carefully, rhs: rhs.carefully))
    }
}

extension PredicateExpressions.Disjunction {
    var careful: Careful<Bool> {
        Careful(PredicateExpressions.Disjunction(lhs: lhs.carefully, rhs: rhs.carefully))
    }
}

extension PredicateExpressions.Negation {
    var careful: Careful<Bool> { Careful(PredicateExpressions.Negation(wrapped.carefully)) }
}

extension PredicateExpressions.Equal {
    var careful: Careful<Bool> {
        Careful(PredicateExpressions.Equal(lhs: lhs.carefully, rhs: rhs.carefully))
    }
}

extension PredicateExpressions.NotEqual {
    var careful: Careful<Bool> {
        Careful(PredicateExpressions.NotEqual(lhs: lhs.carefully, rhs: rhs.carefully))
    }
}

extension PredicateExpressions.FloatDivision {
    var careful: Careful<Output> {
        Careful(PredicateExpressions.FloatDivision(lhs: lhs.carefully, rhs: rhs.carefully))
    }
}

extension PredicateExpressions.Conditional {
    var careful: Careful<Output> {
        Careful(
            PredicateExpressions.Conditional(
                test: test.carefully, trueBranch: trueBranch.carefully,
                falseBranch: falseBranch.carefully))
    }
}

extension PredicateExpressions.NilCoalesce {
    var careful: Careful<Output> {
        Careful(PredicateExpressions.NilCoalesce(lhs: lhs.carefully, rhs: rhs.carefully))
    }
}

extension PredicateExpressions.ForcedUnwrap {
    var careful: Careful<Output> {
        Careful(PredicateExpressions.ForcedUnwrap<Careful<Wrapped?>, Wrapped>(inner.carefully))
    }
}

extension PredicateExpressions.TypeCheck {
    var careful: Careful<Bool> {
        Careful(PredicateExpressions.TypeCheck<Careful<Input.Output>, Desired>(input.carefully))
    }
}

extension PredicateExpressions.ConditionalCast {
    var careful: Careful<Output> {
        Careful(
            PredicateExpressions.ConditionalCast<Careful<Input.Output>, Desired>(input.carefully))
    }
}

extension PredicateExpressions.ForceCast {
    var careful: Careful<Output> {
        Careful(PredicateExpressions.ForceCast<Careful<Input.Output>, Desired>(input.carefully))
    }
}

extension PredicateExpressions.SequenceContains {
    var careful: Careful<Bool> {
        Careful(
            PredicateExpressions.SequenceContains(
                sequence: sequence.carefully, element: element.carefully))
    }
}

extension PredicateExpressions.CollectionContainsCollection {
    var careful: Careful<Bool> {
        Careful(
            PredicateExpressions.CollectionContainsCollection(
                base: base.carefully, other: other.carefully))
    }
}

extension PredicateExpressions.SequenceStartsWith {
    var careful: Careful<Bool> {
        Careful(
            PredicateExpressions.SequenceStartsWith(
                base: base.carefully, prefix: prefix.carefully))
    }
}

extension PredicateExpressions.CollectionIndexSubscript {
    var careful: Careful<Output> {
        Careful(
            PredicateExpressions.CollectionIndexSubscript(
                wrapped: wrapped.carefully, index: index.carefully))
    }
}

extension PredicateExpressions.CollectionRangeSubscript {
    var careful: Careful<Output> {
        Careful(
            PredicateExpressions.CollectionRangeSubscript(
                wrapped: wrapped.carefully, range: range.carefully))
    }
}

extension PredicateExpressions.DictionaryKeySubscript {
    var careful: Careful<Output> {
        let (wrapped, key) = (wrapped.carefully, key.carefully)
        return Careful { try wrapped.evaluate($0)[key.evaluate($0)] }
    }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript {
    var careful: Careful<Output> {
        let (wrapped, key, value) = (wrapped.carefully, key.carefully, self.default.carefully)
        return Careful {
            let other = try value.evaluate($0)
            return try wrapped.evaluate($0)[key.evaluate($0), default: other]
        }
    }
}
