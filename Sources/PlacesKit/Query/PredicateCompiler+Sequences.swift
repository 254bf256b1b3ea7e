import Foundation

extension PredicateExpressions.SequenceContains: LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        // A range may be endless to walk; it has an expression of its own.
        guard !(LHS.Output.self is any RangeExpression.Type), let sequence = sequence.constant
        else { throw NotCompiled(reason: "contains(_:) of what is not a constant collection") }
        let operand = try compiler.operand(element)
        var values: Set<Datum> = []
        for element in sequence {
            if let id = element as? ObjectID, case .identity(let path) = operand {
                if let number = compiler.number(of: id, at: path) { values.insert(number) }
            } else {
                values.insert(try Datum(constant: element))
            }
        }
        return .condition(.membership(of: operand, in: values))
    }
}

extension PredicateExpressions.SequenceContainsWhere: LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        try compiler.members(of: sequence, variable.key, test) { $0 }
    }
}

extension PredicateExpressions.SequenceAllSatisfy: LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        try compiler.members(of: sequence, variable.key, test, \.negated)
    }
}

extension PredicateCompiler {
    /// Whether a member of a to-many relationship satisfies a test, or every one does.
    ///
    /// Every one does if none satisfies the opposite. `sign` is the one for some members, the other
    /// for every member.
    fileprivate mutating func members(
        of sequence: any PredicateExpression, _ variable: PredicateExpressions.VariableID,
        _ test: any PredicateExpression, _ sign: (Condition) -> Condition
    ) throws(NotCompiled) -> Lowered {
        guard case .members(let path) = try lower(sequence) else {
            throw NotCompiled(reason: "a closure over what is not a to-many relationship")
        }
        let slot = path[path.count - 1]
        let owner = path.dropLast().reduce(table) { graph.destination(of: $1, in: $0) }
        var inner = PredicateCompiler(
            resolver: resolver, graph: graph, table: graph.destination(of: slot, in: owner))
        inner.variables[variable] = .object([], table: inner.table)
        let some = Condition.anyMember(slot: slot, sign(try inner.condition(test)))
        return .condition(
            path.dropLast().reversed().reduce(sign(some)) {
                .related(slot: $1, $0, otherwise: false)
            })
    }

    /// How the text of an operand relates to constant text.
    fileprivate mutating func text(
        _ base: any PredicateExpression, _ comparison: TextOperator,
        _ other: any PredicateExpression
    ) throws(NotCompiled) -> Lowered {
        guard case .operand(.constant(.string(let text))) = try lower(other) else {
            throw NotCompiled(reason: "text compared with what is not constant text")
        }
        return .condition(.testing(try operand(base), TextTest(comparison, text)))
    }
}

extension PredicateExpressions.CollectionContainsCollection: LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        try compiler.text(base, .contains, other)
    }
}

extension PredicateExpressions.SequenceStartsWith: LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        try compiler.text(base, .beginsWith, prefix)
    }
}
