import Foundation

extension PredicateExpressions.Arithmetic {
    func text(_ writer: ExpressionWriter) -> String {
        let operation =
            switch op {
            case .add: "+"
            case .subtract: "-"
            case .multiply: "*"
            @unknown default: "?"
            }
        return writer.text(lhs, operation, rhs)
    }
}

extension PredicateExpressions.IntDivision {
    func text(_ writer: ExpressionWriter) -> String { writer.text(lhs, "/", rhs) }
}

extension PredicateExpressions.IntRemainder {
    func text(_ writer: ExpressionWriter) -> String { writer.text(lhs, "%", rhs) }
}

extension PredicateExpressions.FloatDivision {
    func text(_ writer: ExpressionWriter) -> String { writer.text(lhs, "/", rhs) }
}

extension PredicateExpressions.UnaryMinus {
    func text(_ writer: ExpressionWriter) -> String { "-" + writer.operand(wrapped) }
}

// MARK: - Comparisons

extension PredicateExpressions.Equal {
    func text(_ writer: ExpressionWriter) -> String { writer.text(lhs, "==", rhs) }
}

extension PredicateExpressions.NotEqual {
    func text(_ writer: ExpressionWriter) -> String { writer.text(lhs, "!=", rhs) }
}

extension PredicateExpressions.Comparison {
    func text(_ writer: ExpressionWriter) -> String {
        let operation =
            switch op {
            case .lessThan: "<"
            case .lessThanOrEqual: "<="
            case .greaterThan: ">"
            case .greaterThanOrEqual: ">="
            @unknown default: "?"
            }
        return writer.text(lhs, operation, rhs)
    }
}

extension PredicateExpressions.RangeExpressionContains {
    func text(_ writer: ExpressionWriter) -> String {
        "\(writer.operand(range)).contains(\(writer.text(element)))"
    }
}

// MARK: - Classes

extension PredicateExpressions.TypeCheck {
    func text(_ writer: ExpressionWriter) -> String {
        "\(writer.operand(input)) is \(Desired.self)"
    }
}

extension PredicateExpressions.ConditionalCast {
    func text(_ writer: ExpressionWriter) -> String {
        "(\(writer.operand(input)) as? \(Desired.self))"
    }
}

extension PredicateExpressions.ForceCast {
    func text(_ writer: ExpressionWriter) -> String {
        "(\(writer.operand(input)) as! \(Desired.self))"
    }
}

// MARK: - Logic

extension PredicateExpressions.Conjunction {
    func text(_ writer: ExpressionWriter) -> String { writer.text(lhs, "&&", rhs) }
}

extension PredicateExpressions.Disjunction {
    func text(_ writer: ExpressionWriter) -> String { writer.text(lhs, "||", rhs) }
}

extension PredicateExpressions.Negation {
    func text(_ writer: ExpressionWriter) -> String { "!" + writer.operand(wrapped) }
}

extension PredicateExpressions.Conditional {
    func text(_ writer: ExpressionWriter) -> String {
        "(\(writer.operand(test)) ? \(writer.operand(trueBranch)) : \(writer.operand(falseBranch)))"
    }
}

extension PredicateExpressions.OptionalFlatMap {
    func text(_ writer: ExpressionWriter) -> String {
        writer.chain(wrapped, variable.key, transform)
    }
}

extension PredicateExpressions.NilCoalesce {
    func text(_ writer: ExpressionWriter) -> String { writer.text(lhs, "??", rhs) }
}

extension PredicateExpressions.ForcedUnwrap {
    func text(_ writer: ExpressionWriter) -> String { writer.operand(inner) + "!" }
}

// MARK: - Values

extension PredicateExpressions.Variable {
    func text(_ writer: ExpressionWriter) -> String { writer.name(of: key) }
}

extension PredicateExpressions.Value {
    func text(_ writer: ExpressionWriter) -> String { writer.text(constant: value) }
}

extension PredicateExpressions.NilLiteral {
    func text(_ writer: ExpressionWriter) -> String { "nil" }
}

extension PredicateExpressions.KeyPath {
    func text(_ writer: ExpressionWriter) -> String {
        // The folded forms of text are reached through key paths of our own.
        Output.self is any FoldedText.Type
            ? writer.text(root) : "\(writer.operand(root)).\(writer.text(keyPath as AnyKeyPath))"
    }
}

// MARK: - Sequences

extension PredicateExpressions.SequenceContains {
    func text(_ writer: ExpressionWriter) -> String {
        "\(writer.operand(sequence)).contains(\(writer.text(element)))"
    }
}

extension PredicateExpressions.SequenceContainsWhere {
    func text(_ writer: ExpressionWriter) -> String { writer.call(sequence, "contains", test) }
}

extension PredicateExpressions.SequenceAllSatisfy {
    func text(_ writer: ExpressionWriter) -> String { writer.call(sequence, "allSatisfy", test) }
}

extension PredicateExpressions.Filter {
    func text(_ writer: ExpressionWriter) -> String { writer.call(sequence, "filter", filter) }
}

extension PredicateExpressions.SequenceMinimum {
    func text(_ writer: ExpressionWriter) -> String { "\(writer.operand(elements)).min()" }
}

extension PredicateExpressions.SequenceMaximum {
    func text(_ writer: ExpressionWriter) -> String { "\(writer.operand(elements)).max()" }
}

extension PredicateExpressions.ExpressionEvaluate {
    func text(_ writer: ExpressionWriter) -> String {
        var inputs: [String] = []
        for input in repeat each input { inputs.append(writer.text(input)) }
        return "expression.evaluate(\(inputs.joined(separator: ", ")))"
    }
}

extension PredicateExpressions.CollectionContainsCollection {
    func text(_ writer: ExpressionWriter) -> String {
        "\(writer.operand(base)).contains(\(writer.text(other)))"
    }
}

extension PredicateExpressions.SequenceStartsWith {
    func text(_ writer: ExpressionWriter) -> String {
        "\(writer.operand(base)).starts(with: \(writer.text(prefix)))"
    }
}

extension PredicateExpressions.DictionaryKeySubscript {
    func text(_ writer: ExpressionWriter) -> String {
        "\(writer.operand(wrapped))[\(writer.text(key))]"
    }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript {
    func text(_ writer: ExpressionWriter) -> String {
        "\(writer.operand(wrapped))[\(writer.text(key)), default: \(writer.text(self.default))]"
    }
}

extension PredicateExpressions.CollectionIndexSubscript {
    func text(_ writer: ExpressionWriter) -> String {
        "\(writer.operand(wrapped))[\(writer.text(index))]"
    }
}

extension PredicateExpressions.CollectionRangeSubscript {
    func text(_ writer: ExpressionWriter) -> String {
        "\(writer.operand(wrapped))[\(writer.text(range))]"
    }
}
