import Foundation

extension PredicateExpressions.Variable: LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        guard let meaning = compiler.variables[key] else {
            throw NotCompiled(reason: "a variable belongs to another predicate")
        }
        return meaning
    }
}

extension PredicateExpressions.Value: LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        if let value = value as? any AttributeValue { return .operand(.constant(value.datum)) }
        if let id = value as? ObjectID { return .identifier(id) }
        if value is ObjectID? { return .operand(.constant(.null)) }
        if let sequence = value as? any Sequence {
            var values: Set<Datum> = []
            for element in sequence {
                guard let element = element as? any AttributeValue else {
                    throw NotCompiled(reason: "\(type(of: element)) is not an attribute's type")
                }
                values.insert(element.datum)
            }
            return .sequence(values)
        }
        throw NotCompiled(reason: "\(Output.self) is not an attribute's type")
    }
}

extension PredicateExpressions.NilLiteral: LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        .operand(.constant(.null))
    }
}

extension PredicateExpressions.KeyPath: LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        switch try compiler.lower(root) {
        case .object(let path, let table):
            guard let resolved = compiler.resolver.resolve(keyPath) else {
                throw NotCompiled(reason: "\(keyPath) is computed, not a managed property")
            }
            return compiler.lowered(resolved, from: path, table: table)
        case .members(let path):
            switch Output.self {
            case is Int.Type: return .operand(.count(path))
            case is Bool.Type:
                return .condition(
                    .comparison(.count(path), .equal, .constant(.integer(0))))
            default: throw NotCompiled(reason: "\(keyPath) of a to-many relationship")
            }
        case .condition, .guarded, .operand, .sequence, .identifier:
            throw NotCompiled(reason: "\(keyPath) is not a property of a managed object")
        }
    }
}

extension PredicateCompiler {
    /// What a resolved key path becomes when it starts at the end of a chain.
    fileprivate func lowered(
        _ resolved: ResolvedKeyPath, from path: [Int], table: Int
    ) -> Lowered {
        switch resolved {
        case .count(let slots): return .operand(.count(path + slots))
        case .identity(let slots): return .operand(.identity(path + slots))
        case .property(let slots):
            var table = table
            for slot in slots.dropLast() { table = graph.destination(of: slot, in: table) }
            switch graph.layout.tables[table].relationships[slots[slots.count - 1]] {
            case nil: return .operand(.attribute(path + slots))
            case .toOne, .oneToOne:
                return .object(
                    path + slots,
                    table: graph.destination(of: slots[slots.count - 1], in: table))
            case .toMany, .manyToMany: return .members(path + slots)
            }
        }
    }
}

// MARK: - Comparisons

extension PredicateExpressions.Equal: LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        try compiler.equality(lhs, .equal, rhs)
    }
}

extension PredicateExpressions.NotEqual: LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        try compiler.equality(lhs, .notEqual, rhs)
    }
}

extension PredicateCompiler {
    fileprivate mutating func equality(
        _ left: any PredicateExpression, _ comparison: ComparisonOperator,
        _ right: any PredicateExpression
    ) throws(NotCompiled) -> Lowered {
        switch (try lower(left), try lower(right)) {
        case (.identifier(let id), let other), (let other, .identifier(let id)):
            return .condition(try identity(of: other, comparison, id))
        default:
            return .condition(comparing(try operand(left), comparison, try operand(right)))
        }
    }

    /// Whether the object at the end of a chain has an identifier.
    private func identity(
        of other: Lowered, _ comparison: ComparisonOperator, _ id: ObjectID
    ) throws(NotCompiled) -> Condition {
        guard case .operand(.identity(let path)) = other else {
            throw NotCompiled(reason: "an identifier compared with what is not one")
        }
        let end = path.reduce(table) { graph.destination(of: $1, in: $0) }
        return graph.schema.entities[end].name == id.entity
            ? .comparison(.identity(path), comparison, .constant(.integer(id.number)))
            : .constant(comparison == .notEqual)
    }
}

extension PredicateExpressions.Comparison: LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        let comparison: ComparisonOperator =
            switch op {
            case .lessThan: .less
            case .lessThanOrEqual: .lessOrEqual
            case .greaterThan: .greater
            case .greaterThanOrEqual: .greaterOrEqual
            @unknown default: throw NotCompiled(reason: "an unknown comparison")
            }
        return .condition(
            compiler.comparing(
                try compiler.operand(lhs), comparison, try compiler.operand(rhs)))
    }
}

// MARK: - Logic

extension PredicateExpressions.Conjunction: LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        .condition(.all([try compiler.condition(lhs), try compiler.condition(rhs)]))
    }
}

extension PredicateExpressions.Disjunction: LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        .condition(.any([try compiler.condition(lhs), try compiler.condition(rhs)]))
    }
}

extension PredicateExpressions.Negation: LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        .condition(.not(try compiler.condition(wrapped)))
    }
}

extension PredicateExpressions.Conditional: LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        let test = try compiler.condition(test)
        return .condition(
            .any([
                .all([test, try compiler.condition(trueBranch)]),
                .all([.not(test), try compiler.condition(falseBranch)]),
            ]))
    }
}

// MARK: - Optionals

extension PredicateExpressions.OptionalFlatMap: LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        let wrapped = try compiler.lower(wrapped)
        let test: Operand
        switch wrapped {
        case .object(let path, _): test = .identity(path)
        case .operand(let operand): test = operand
        case .condition, .guarded, .members, .sequence, .identifier:
            throw NotCompiled(reason: "flatMap of what is not an optional property")
        }
        compiler.variables[variable.key] = wrapped
        switch try compiler.lower(transform) {
        case .condition(let condition): return .guarded(test, condition)
        case .operand(.attribute(let path)):
            // The chain breaks where the optional is nil, so the value is nil there by itself.
            return .operand(.attribute(path))
        case .operand(.count(let path)): return .operand(.count(path))
        case .operand(.identity(let path)): return .operand(.identity(path))
        case .object(let path, let table): return .object(path, table: table)
        case .operand(.constant), .operand(.coalesced), .guarded, .members, .sequence,
            .identifier:
            throw NotCompiled(reason: "flatMap to what is not a property of its argument")
        }
    }
}

extension PredicateExpressions.NilCoalesce: LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        switch (try compiler.lower(lhs), try compiler.lower(rhs)) {
        case (.guarded(let test, let condition), .operand(.constant(.boolean(let answer)))):
            let isNil = compiler.comparing(test, .equal, .constant(.null))
            return .condition(
                answer ? .any([isNil, condition]) : .all([.not(isNil), condition]))
        case (.operand(let first), .operand(let second)):
            return .operand(.coalesced(first, second))
        default: throw NotCompiled(reason: "?? of what is not a property")
        }
    }
}

// MARK: - Sequences and text

extension PredicateExpressions.SequenceContains: LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        guard case .sequence(let values) = try compiler.lower(sequence) else {
            throw NotCompiled(reason: "contains(_:) of what is not a constant sequence")
        }
        return .condition(.membership(try compiler.operand(element), values))
    }
}

extension PredicateExpressions.SequenceContainsWhere: LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        .condition(try compiler.anyMember(of: sequence, variable.key, test, isNegated: false))
    }
}

extension PredicateExpressions.SequenceAllSatisfy: LoweredExpression {
    func lower(with compiler: inout PredicateCompiler) throws(NotCompiled) -> Lowered {
        .condition(
            .not(try compiler.anyMember(of: sequence, variable.key, test, isNegated: true)))
    }
}

extension PredicateCompiler {
    /// Whether a member of a to-many relationship satisfies a test, or fails it.
    fileprivate mutating func anyMember(
        of sequence: any PredicateExpression, _ variable: PredicateExpressions.VariableID,
        _ test: any PredicateExpression, isNegated: Bool
    ) throws(NotCompiled) -> Condition {
        guard case .members(let path) = try lower(sequence), path.count == 1 else {
            throw NotCompiled(reason: "a closure over what is not a to-many relationship")
        }
        var inner = PredicateCompiler(
            resolver: resolver, graph: graph, table: graph.destination(of: path[0], in: table))
        inner.variables[variable] = .object([], table: inner.table)
        let condition = try inner.condition(test)
        return .anyMember(slot: path[0], isNegated ? .not(condition) : condition)
    }

    /// How the text of an operand relates to constant text.
    fileprivate mutating func text(
        _ base: any PredicateExpression, _ comparison: TextOperator,
        _ other: any PredicateExpression
    ) throws(NotCompiled) -> Lowered {
        guard case .operand(.attribute(let path)) = try lower(base),
            case .operand(.constant(.string(let text))) = try lower(other)
        else { throw NotCompiled(reason: "text compared with what is not constant text") }
        return .condition(
            joined(path) { .text(.attribute([$0]), comparison, text) } otherwise: { false })
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
